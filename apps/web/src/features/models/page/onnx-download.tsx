import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { artifactOnnx } from '@shapecast/contracts/uploads'
import { file } from '#wire/calls/client.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { DownloadButton } from './download-button.tsx'

/** Saves the networks with their cards, a README and an example; of an upload its file and card as they came. */
export function OnnxDownload({ version, artifact }: { version: string; artifact: ArtifactDetail }) {
  return (
    <DownloadButton
      label="Download ONNX"
      again="Try ONNX again"
      failed="The networks could not be downloaded."
      save={async () => {
        const received = await file(artifactOnnx, { params: { id: artifact.id } })
        saveFile(received, `onnx-${version}-${artifact.symbol}-${artifact.timeframe}.zip`)
      }}
    />
  )
}

import { type ArtifactDetail, artifactCard } from '@shapecast/contracts/ml'
import { file } from '#wire/calls/client.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { DownloadButton } from './download-button.tsx'

/** Saves the model card as a file. */
export function CardDownload({ version, artifact }: { version: string; artifact: ArtifactDetail }) {
  return (
    <DownloadButton
      label="Download card"
      again="Try the card again"
      failed="The card could not be downloaded."
      save={async () => {
        const received = await file(artifactCard, { params: { id: artifact.id } })
        saveFile(received, `card-${version}-${artifact.symbol}-${artifact.timeframe}.json`)
      }}
    />
  )
}

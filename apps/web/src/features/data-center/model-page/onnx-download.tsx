import { Button } from '@mui/material'
import type { ArtifactDetail } from '@shapecast/contracts/ml'
import { artifactOnnx } from '@shapecast/contracts/uploads'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { file } from '../../../shared/api/client.ts'
import { errorText } from '../../../shared/api/error-text.ts'
import { saveFile } from '../../../shared/api/save-file.ts'

/** Saves the networks with their cards, a README and an example; of an upload its file and card as they came. */
export function OnnxDownload({ version, artifact }: { version: string; artifact: ArtifactDetail }) {
  const download = useMutation({
    mutationFn: async () => {
      const received = await file(artifactOnnx, { params: { id: artifact.id } })
      saveFile(received, `onnx-${version}-${artifact.symbol}-${artifact.timeframe}.zip`)
    },
  })
  return (
    <Button
      startIcon={<Download />}
      disabled={download.isPending}
      title={download.isError ? errorText(download.error, 'The networks could not be downloaded.') : undefined}
      onClick={() => download.mutate()}
    >
      {download.isPending ? 'Preparing…' : download.isError ? 'Try ONNX again' : 'Download ONNX'}
    </Button>
  )
}

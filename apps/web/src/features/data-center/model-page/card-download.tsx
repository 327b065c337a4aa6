import { Button } from '@mui/material'
import { type ArtifactDetail, artifactCard } from '@shapecast/contracts/ml'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { file } from '../../../shared/api/client.ts'
import { errorText } from '../../../shared/api/error-text.ts'
import { saveFile } from '../../../shared/api/save-file.ts'

/** Saves the model card as a file. */
export function CardDownload({ version, artifact }: { version: string; artifact: ArtifactDetail }) {
  const download = useMutation({
    mutationFn: async () => {
      const received = await file(artifactCard, { params: { id: artifact.id } })
      saveFile(received, `card-${version}-${artifact.symbol}-${artifact.timeframe}.json`)
    },
  })
  return (
    <Button
      startIcon={<Download />}
      disabled={download.isPending}
      title={download.isError ? errorText(download.error, 'The card could not be downloaded.') : undefined}
      onClick={() => download.mutate()}
    >
      {download.isPending ? 'Preparing…' : download.isError ? 'Try the card again' : 'Download card'}
    </Button>
  )
}

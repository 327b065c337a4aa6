import { Button } from '@mui/material'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { errorText } from '../../../shared/api/error-text.ts'

export interface DownloadButtonProps {
  label: string
  /** The label after a failure, and what failed where the server gives no reason. */
  again: string
  failed: string
  save: () => Promise<void>
}

/** Fetches a file and saves it; says that it is under way, and why it failed. */
export function DownloadButton({ label, again, failed, save }: DownloadButtonProps) {
  const download = useMutation({ mutationFn: save })
  return (
    <Button
      startIcon={<Download />}
      disabled={download.isPending}
      title={download.isError ? errorText(download.error, failed) : undefined}
      onClick={() => download.mutate()}
    >
      {download.isPending ? 'Preparing…' : download.isError ? again : label}
    </Button>
  )
}

import { Button } from '@mui/material'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Note } from '#kit/ui/text.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'

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
    <div style={{ display: 'flex', flexDirection: 'column', gap: 4 }}>
      <Button startIcon={<Download />} {...busyPress(download.isPending, () => download.mutate())}>
        {download.isPending ? 'Preparing…' : download.isError ? again : label}
      </Button>
      {download.isError && (
        <Note as="span" role="alert" tone="down" style={{ maxWidth: 240 }}>
          {errorInFull(download.error, failed)}
        </Note>
      )}
    </div>
  )
}

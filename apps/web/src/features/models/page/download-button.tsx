import { Box, Button, Typography } from '@mui/material'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { colors } from '#kit/theme/tokens.ts'
import { busyPress } from '#kit/ui/busy-press.ts'
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
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 0.5 }}>
      <Button startIcon={<Download />} {...busyPress(download.isPending, () => download.mutate())}>
        {download.isPending ? 'Preparing…' : download.isError ? again : label}
      </Button>
      {download.isError && (
        <Typography variant="label" role="alert" sx={{ maxWidth: 240, color: colors.down, fontWeight: 400 }}>
          {errorInFull(download.error, failed)}
        </Typography>
      )}
    </Box>
  )
}

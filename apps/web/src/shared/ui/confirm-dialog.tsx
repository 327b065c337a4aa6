import { Button, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'
import { Banner } from './banner.tsx'
import { Dialog } from './dialog.tsx'

export interface ConfirmDialogProps {
  open: boolean
  title: string
  /** What happens, and what is lost. */
  text: string
  /** The thing by name, with figures that make it recognisable. */
  subject?: ReactNode
  confirmLabel: string
  onConfirm: () => void
  onClose: () => void
  busy?: boolean
  error?: string | undefined
}

/** Asks before something is lost for good. Deleting names what is lost. */
export function ConfirmDialog({
  open,
  title,
  text,
  subject,
  confirmLabel,
  onConfirm,
  onClose,
  busy = false,
  error,
}: ConfirmDialogProps) {
  return (
    <Dialog
      open={open}
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" onClick={onConfirm} disabled={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <Typography sx={{ color: colors.text2 }}>{text}</Typography>
      {subject !== undefined && (
        <Typography component="div" variant="small" sx={{ mt: 1.5 }}>
          {subject}
        </Typography>
      )}
      {error !== undefined && (
        <Typography component="div" sx={{ mt: 2 }}>
          <Banner kind="error" title={error} />
        </Typography>
      )}
    </Dialog>
  )
}

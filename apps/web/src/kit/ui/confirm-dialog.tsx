import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'
import { Banner } from './banner.tsx'
import { Dialog } from './dialog.tsx'
import { DialogActions } from './dialog-actions.tsx'

export interface ConfirmDialogProps {
  title: string
  /** What happens, and what is lost. */
  text?: string
  /** The thing by name, with figures that make it recognisable. */
  subject?: ReactNode
  confirmLabel: string
  /** Danger where something is lost or put at risk. */
  tone?: 'danger' | 'contained'
  /** Why it cannot be confirmed yet. */
  whyNot?: string | undefined
  onConfirm: () => void
  onClose: () => void
  busy: boolean
  error: string | undefined
}

/** Asks before something that is lost for good or weighs much. Deleting names what is lost. */
export function ConfirmDialog({
  title,
  text,
  subject,
  confirmLabel,
  tone = 'danger',
  whyNot,
  onConfirm,
  onClose,
  busy,
  error,
}: ConfirmDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <DialogActions
          label={confirmLabel}
          tone={tone}
          whyNot={whyNot}
          isBusy={busy}
          onCancel={onClose}
          onConfirm={onConfirm}
        />
      }
    >
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {text !== undefined && <Typography sx={{ color: colors.text2 }}>{text}</Typography>}
        {subject !== undefined && (
          <Typography component="div" variant="small">
            {subject}
          </Typography>
        )}
        {error !== undefined && <Banner kind="error" title={error} />}
      </Box>
    </Dialog>
  )
}

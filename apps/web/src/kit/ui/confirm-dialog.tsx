import type { ReactNode } from 'react'
import { Banner } from './banner.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Column, Text } from './primitives.tsx'

export interface ConfirmDialogProps {
  title: string
  subtitle?: string
  widthPx?: number
  /** What happens, and what is lost. */
  text?: string
  /** The thing by name, with figures that make it recognisable. */
  subject?: ReactNode
  confirmLabel: string
  /** What else may be done, or is to be known; at the left of the buttons. */
  note?: ReactNode
  /** Danger where something is lost or put at risk. */
  tone?: 'danger' | 'contained'
  /** Why it cannot be confirmed yet. */
  disabledReason?: string | undefined
  onConfirm: () => void
  onClose: () => void
  busy: boolean
  error: string | undefined
}

/** Asks before something that is lost for good or weighs much. Deleting names what is lost. */
export function ConfirmDialog({
  text,
  subject,
  confirmLabel,
  tone = 'danger',
  disabledReason,
  onConfirm,
  onClose,
  busy,
  error,
  note,
  ...dialog
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...dialog}
      onClose={onClose}
      actions={
        <DialogActions
          label={confirmLabel}
          tone={tone}
          note={note}
          disabledReason={disabledReason}
          isBusy={busy}
          onCancel={onClose}
          onConfirm={onConfirm}
        />
      }
    >
      <Column gap={2}>
        {text !== undefined && <Text tone="text2">{text}</Text>}
        {subject !== undefined && (
          <Text as="div" size="small">
            {subject}
          </Text>
        )}
        {error !== undefined && <Banner kind="error" title={error} />}
      </Column>
    </Dialog>
  )
}

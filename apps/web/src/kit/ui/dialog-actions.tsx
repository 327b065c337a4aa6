import { Button } from '@mui/material'
import { busyPress } from './busy-press.ts'
import css from './dialog-actions.module.css'
import { Text } from './text.tsx'

/** The foot of a dialog that does one thing: what is to be known of it, the way out, and the thing itself. */
export function DialogActions({
  label,
  tone = 'contained',
  note,
  isWrong = false,
  whyNot,
  isBusy,
  onCancel,
  ...does
}: {
  label: string
  /** Danger where something is lost or put at risk. */
  tone?: 'danger' | 'contained'
  note?: string | undefined
  /** The note says what is wrong. */
  isWrong?: boolean
  /** Why it cannot be done yet. */
  whyNot?: string | null | undefined
  isBusy: boolean
  onCancel: () => void
} & ({ onConfirm: () => void } | { formId: string })) {
  return (
    <>
      {note !== undefined && (
        <Text size="small" tone={isWrong ? 'down' : 'text2'} role="status" className={css.note}>
          {note}
        </Text>
      )}
      <Button variant="text" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        variant={tone}
        disabled={typeof whyNot === 'string'}
        title={whyNot ?? undefined}
        {...('formId' in does
          ? { type: 'submit', form: does.formId, ...busyPress(isBusy) }
          : busyPress(isBusy, does.onConfirm))}
      >
        {label}
      </Button>
    </>
  )
}

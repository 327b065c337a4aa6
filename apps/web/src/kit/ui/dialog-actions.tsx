import type { ReactNode } from 'react'
import { busyButton } from './busy-button.ts'
import { Button } from './button.tsx'
import css from './dialog-actions.module.css'
import { Text } from './text.tsx'

/** The foot of a dialog that does one thing: what is to be known of it, the way out, and the thing itself. */
export function DialogActions({
  label,
  tone = 'contained',
  note,
  isWrong = false,
  disabledReason,
  isBusy,
  onCancel,
  ...does
}: {
  label: string
  /** Danger where something is lost or put at risk. */
  tone?: 'danger' | 'contained'
  note?: ReactNode
  /** The note says what is wrong. */
  isWrong?: boolean
  /** Why it cannot be done yet. */
  disabledReason?: string | null | undefined
  isBusy: boolean
  onCancel: () => void
} & ({ onConfirm: () => void } | { formId: string })) {
  return (
    <>
      {note !== undefined && note !== false && (
        <Text size="small" tone={isWrong ? 'down' : 'text2'} role="status" className={css.note}>
          {note}
        </Text>
      )}
      <Button variant="text" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        variant={tone}
        disabled={typeof disabledReason === 'string'}
        title={disabledReason ?? undefined}
        {...('formId' in does
          ? { type: 'submit', form: does.formId, ...busyButton(isBusy) }
          : busyButton(isBusy, does.onConfirm))}
      >
        {label}
      </Button>
    </>
  )
}

import { Box, Typography } from '@mui/material'
import { ApiError } from '@shapecast/contracts/client'
import { type FormEvent, useId, useState } from 'react'
import { Dialog } from '#kit/ui/dialog.tsx'
import { DialogActions } from '#kit/ui/dialog-actions.tsx'
import { PasswordField } from '#kit/ui/password-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'

export interface AskedField {
  readonly name: string
  readonly label: string
  readonly kind: 'password' | 'new-password' | 'code' | 'email'
}

export interface AskDialogProps {
  title: string
  text: string
  fields: readonly AskedField[]
  confirmLabel: string
  tone?: 'danger' | 'contained'
  /** Does it with what was given; what it throws is shown, and the dialog stays. */
  onConfirm: (given: Readonly<Record<string, string>>) => Promise<unknown>
  onClose: () => void
}

/** Asks for a password or a code, does what was asked for, and closes. */
export function AskDialog({
  title,
  text,
  fields,
  confirmLabel,
  tone = 'contained',
  onConfirm,
  onClose,
}: AskDialogProps) {
  const formId = useId()
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function send(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setError(null)
    try {
      await onConfirm(given)
      onClose()
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }
  // What is wrong with a field stands below it.
  const wrong = error instanceof ApiError ? fields.find(({ name }) => name === error.field)?.name : undefined
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={<DialogActions label={confirmLabel} tone={tone} isBusy={busy} onCancel={onClose} formId={formId} />}
    >
      <Box component="form" id={formId} onSubmit={send} noValidate sx={{ display: 'grid', gap: 2 }}>
        <Typography>{text}</Typography>
        {fields.map(({ name, label, kind }, index) => {
          const props = {
            label,
            autoFocus: index === 0,
            value: given[name] ?? '',
            error: wrong === name ? errorText(error, '') : undefined,
            onChange: (event: { target: { value: string } }) =>
              setGiven((old) => ({ ...old, [name]: event.target.value })),
          }
          if (kind === 'password') return <PasswordField key={name} {...props} autoComplete="current-password" />
          if (kind === 'new-password') return <PasswordField key={name} {...props} autoComplete="new-password" />
          if (kind === 'email') return <TextField key={name} {...props} type="email" />
          return <TextField key={name} {...props} autoComplete="one-time-code" />
        })}
        {error !== null && wrong === undefined && <FailureBanner error={error} text="It could not be done" />}
      </Box>
    </Dialog>
  )
}

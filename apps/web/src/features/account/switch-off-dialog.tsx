import { endSecondFactor } from '@shapecast/contracts/own-account'
import { useState } from 'react'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { PasswordField } from '#kit/ui/password-field.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { CodeField } from './code-field.tsx'

/** Switches the second factor off for the password and a code. */
export function SwitchOffDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const end = useEndpointMutation(endSecondFactor)
  return (
    <ConfirmDialog
      title="Switch two-factor off?"
      text="Your password alone will open the account. The recovery codes are deleted."
      subject={
        <div className={layout.formFields}>
          <PasswordField
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <CodeField value={code} onChange={setCode} help="Of your authenticator app, or a recovery code" />
        </div>
      }
      confirmLabel={end.isPending ? 'Switching off…' : 'Switch off'}
      whyNot={password === '' || code === '' ? 'Enter the password and a code first' : undefined}
      busy={end.isPending}
      error={end.isError ? errorInFull(end.error, 'Two-factor is still on.') : undefined}
      onConfirm={() => end.mutate({ body: { password, code } }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

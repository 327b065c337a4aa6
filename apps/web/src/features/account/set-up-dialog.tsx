import { beginSecondFactor, finishSecondFactor } from '@shapecast/contracts/own-account'
import { useState } from 'react'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { PasswordField } from '#kit/ui/password-field.tsx'
import { ShownOnce } from '#kit/ui/shown-once.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { CodeField } from './code-field.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

/** Password, and a code of the device in use; then the secret and a code of it, then the recovery codes. */
export function SetUpDialog({ isOn, onClose }: { isOn: boolean; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [oldCode, setOldCode] = useState('')
  const [code, setCode] = useState('')
  const begin = useEndpointMutation(beginSecondFactor)
  const finish = useEndpointMutation(finishSecondFactor)
  if (finish.isSuccess) return <RecoveryCodesDialog codes={finish.data.recoveryCodes} onClose={onClose} />
  if (begin.isSuccess)
    return (
      <ConfirmDialog
        title="Add the account to your app"
        text="Scan the picture with an authenticator app, or type the secret. Then enter the six digits that it shows. Your other sessions end."
        subject={
          <div className={layout.formFields}>
            <QrCode text={begin.data.uri} label="QR code of the secret" />
            <ShownOnce label="Secret" value={begin.data.secret} />
            <CodeField value={code} onChange={setCode} />
          </div>
        }
        tone="contained"
        confirmLabel={finish.isPending ? 'Checking…' : 'Switch on'}
        whyNot={code === '' ? 'Enter the code first' : undefined}
        busy={finish.isPending}
        error={finish.isError ? errorInFull(finish.error, 'Two-factor is not on.') : undefined}
        onConfirm={() => finish.mutate({ body: { code } })}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      title={isOn ? 'Change device' : 'Set up two-factor'}
      text={
        isOn
          ? 'The device in use works until the new one has given its first code.'
          : 'You need an authenticator app on your phone.'
      }
      subject={
        <div className={layout.formFields}>
          <PasswordField
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          {isOn && <CodeField value={oldCode} onChange={setOldCode} help="Of the device in use, or a recovery code" />}
        </div>
      }
      tone="contained"
      confirmLabel={begin.isPending ? 'Checking…' : 'Continue'}
      whyNot={
        password === ''
          ? 'Enter your password first'
          : isOn && oldCode === ''
            ? 'Enter a code of the device in use first'
            : undefined
      }
      busy={begin.isPending}
      error={begin.isError ? errorInFull(begin.error, 'No secret was made.') : undefined}
      onConfirm={() => begin.mutate({ body: isOn ? { password, code: oldCode } : { password } })}
      onClose={onClose}
    />
  )
}

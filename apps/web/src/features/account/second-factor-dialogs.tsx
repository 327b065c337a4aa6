import {
  beginSecondFactor,
  endSecondFactor,
  finishSecondFactor,
  renewRecoveryCodes,
} from '@shapecast/contracts/own-account'
import { useState } from 'react'
import { encode } from 'uqr'
import { Button } from '#kit/ui/button.tsx'
import { ShownOnce } from '#kit/ui/copy-button.tsx'
import { ConfirmDialog, Dialog } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { PasswordField, TextField } from '#kit/ui/text-field.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'

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
        disabledReason={code === '' ? 'Enter the code first' : undefined}
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
      disabledReason={
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
      disabledReason={password === '' || code === '' ? 'Enter the password and a code first' : undefined}
      busy={end.isPending}
      error={end.isError ? errorInFull(end.error, 'Two-factor is still on.') : undefined}
      onConfirm={() => end.mutate({ body: { password, code } }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

/** Ten new recovery codes for a code of the app. */
export function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('')
  const renew = useEndpointMutation(renewRecoveryCodes)
  if (renew.isSuccess) return <RecoveryCodesDialog codes={renew.data.recoveryCodes} onClose={onClose} />
  return (
    <ConfirmDialog
      title="New recovery codes?"
      text="The old codes do not work any more."
      subject={<CodeField value={code} onChange={setCode} help="Of your authenticator app" />}
      tone="contained"
      confirmLabel={renew.isPending ? 'Making them…' : 'Make new codes'}
      disabledReason={code === '' ? 'Enter the code first' : undefined}
      busy={renew.isPending}
      error={renew.isError ? errorInFull(renew.error, 'No new codes were made.') : undefined}
      onConfirm={() => renew.mutate({ body: { code } })}
      onClose={onClose}
    />
  )
}

/** The recovery codes, in sight this once. */
const RecoveryCodesDialog = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => (
  <Dialog
    title="Keep your recovery codes"
    onClose={onClose}
    actions={
      <Button variant="contained" onClick={onClose}>
        I have kept them
      </Button>
    }
  >
    <ShownOnce label="Recovery codes" value={codes.join('\n')}>
      They are never shown again. Each opens the account once if the phone is lost. Keep them where the phone is not.
    </ShownOnce>
  </Dialog>
)

/** Takes a code of the authenticator app. */
const CodeField = ({ value, onChange, help }: { value: string; onChange: (code: string) => void; help?: string }) => (
  <TextField
    label="Code"
    autoComplete="one-time-code"
    value={value}
    onChange={(event) => onChange(event.target.value)}
    help={help}
  />
)

/** `text` as a QR code, black on white in both themes: cameras read it so. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      color="#000"
      style={{ width: 200, height: 200, borderRadius: 8, backgroundColor: '#fff' }}
    >
      <path d={squares.join('')} fill="currentColor" />
    </svg>
  )
}

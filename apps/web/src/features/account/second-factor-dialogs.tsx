import {
  beginSecondFactor,
  endSecondFactor,
  finishSecondFactor,
  renewRecoveryCodes,
} from '@shapecast/contracts/own-account'
import { encode } from 'uqr'
import { Button } from '#kit/ui/button.tsx'
import { ShownOnce } from '#kit/ui/copy-button.tsx'
import { ConfirmDialog, Dialog } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { PasswordField, TextField, useTyped } from '#kit/ui/text-field.tsx'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { confirming } from '#wire/ui/failed-change.tsx'

const CODE = { label: 'Code', autoComplete: 'one-time-code' } as const

/** Password, and a code of the device in use; then the secret and a code of it, then the recovery codes. */
export function SetUpDialog({ isOn, onClose }: { isOn: boolean; onClose: () => void }) {
  const password = useTyped()
  const oldCode = useTyped()
  const code = useTyped()
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
            <TextField {...CODE} {...code.field} />
          </div>
        }
        tone="contained"
        {...confirming(finish, 'Switch on', 'Checking…', 'Two-factor is not on.')}
        disabledReason={code.text === '' ? 'Enter the code first' : undefined}
        onConfirm={() => finish.mutate({ body: { code: code.text } })}
        onClose={onClose}
      />
    )
  const device = isOn ? { code: oldCode.text } : {}
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
          <PasswordField label="Password" autoComplete="current-password" {...password.field} />
          {isOn && <TextField {...CODE} help="Of the device in use, or a recovery code" {...oldCode.field} />}
        </div>
      }
      tone="contained"
      {...confirming(begin, 'Continue', 'Checking…', 'No secret was made.')}
      disabledReason={
        password.text === ''
          ? 'Enter your password first'
          : device.code === ''
            ? 'Enter a code of the device in use first'
            : undefined
      }
      onConfirm={() => begin.mutate({ body: { password: password.text, ...device } })}
      onClose={onClose}
    />
  )
}

/** Switches the second factor off for the password and a code. */
export function SwitchOffDialog({ onClose }: { onClose: () => void }) {
  const password = useTyped()
  const code = useTyped()
  const end = useEndpointMutation(endSecondFactor, { onSuccess: onClose })
  return (
    <ConfirmDialog
      title="Switch two-factor off?"
      text="Your password alone will open the account. The recovery codes are deleted."
      subject={
        <div className={layout.formFields}>
          <PasswordField label="Password" autoComplete="current-password" {...password.field} />
          <TextField {...CODE} help="Of your authenticator app, or a recovery code" {...code.field} />
        </div>
      }
      {...confirming(end, 'Switch off', 'Switching off…', 'Two-factor is still on.')}
      disabledReason={password.text === '' || code.text === '' ? 'Enter the password and a code first' : undefined}
      onConfirm={() => end.mutate({ body: { password: password.text, code: code.text } })}
      onClose={onClose}
    />
  )
}

/** Ten new recovery codes for a code of the app. */
export function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const code = useTyped()
  const renew = useEndpointMutation(renewRecoveryCodes)
  if (renew.isSuccess) return <RecoveryCodesDialog codes={renew.data.recoveryCodes} onClose={onClose} />
  return (
    <ConfirmDialog
      title="New recovery codes?"
      text="The old codes do not work any more."
      subject={<TextField {...CODE} help="Of your authenticator app" {...code.field} />}
      tone="contained"
      {...confirming(renew, 'Make new codes', 'Making them…', 'No new codes were made.')}
      disabledReason={code.text === '' ? 'Enter the code first' : undefined}
      onConfirm={() => renew.mutate({ body: { code: code.text } })}
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

import { renewRecoveryCodes } from '@shapecast/contracts/own-account'
import { useState } from 'react'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { CodeField } from './code-field.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'

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
      whyNot={code === '' ? 'Enter the code first' : undefined}
      busy={renew.isPending}
      error={renew.isError ? errorInFull(renew.error, 'No new codes were made.') : undefined}
      onConfirm={() => renew.mutate({ body: { code } })}
      onClose={onClose}
    />
  )
}

import { confirmItIsMe, security } from '@shapecast/contracts/own-account'
import { PasswordField, TextField, useTyped } from '#kit/ui/text-field.tsx'
import { call } from '../calls/client.ts'
import { useEndpointQuery } from '../calls/use-endpoint.ts'

/** Asks once more who it is, before something that weighs much. */
export function useIdentityProof() {
  const secret = useTyped()
  const reply = useEndpointQuery(security, {})
  const hasCode = reply.data === undefined || reply.data.secondFactor.onSince !== null
  return {
    /** Takes the second factor, or the password where there is none. */
    field: hasCode ? (
      <TextField label="Code of your authenticator" autoComplete="one-time-code" {...secret.field} />
    ) : (
      <PasswordField label="Your password" autoComplete="current-password" {...secret.field} />
    ),
    /** What is missing, as a word to go into a sentence; null where something was typed. */
    missing: secret.text !== '' ? null : hasCode ? 'code' : 'password',
    /** Confirms the session with what was typed: five minutes for what asks for it. Throws what the service answers. */
    give: async () => {
      await call(confirmItIsMe, { body: hasCode ? { code: secret.text.trim() } : { password: secret.text } })
    },
  }
}

import { deleteAccount } from '@shapecast/contracts/own-account'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { formatDate } from '#kit/format/time.ts'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import { PasswordField } from '#kit/ui/password-field.tsx'
import { paths } from '#routes/paths.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useAuthSession } from '#wire/session/auth-context.ts'

/** Asks for the password, ends the session, and says on Sign In until when the account can be kept. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const session = useAuthSession()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const leave = useEndpointMutation(deleteAccount, {
    onSuccess: async ({ deletesAt }) => {
      // The service has ended the session. What the page shows settles before Sign In replaces it.
      session.drop()
      await Promise.resolve()
      const notice = `Your account will be deleted on ${formatDate(deletesAt)}. Sign in before then to keep it.`
      await navigate(paths.login, { state: { notice } })
    },
  })
  return (
    <ConfirmDialog
      title="Delete your account?"
      text="Your bots stop and you are signed out everywhere now. In 14 days your profile, bots, trades and votes are deleted; tasks and models stay without your name. Sign in before then to keep it all."
      subject={
        <PasswordField
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      }
      confirmLabel={leave.isPending ? 'Deleting…' : 'Delete account'}
      whyNot={password === '' ? 'Enter your password first' : undefined}
      busy={leave.isPending}
      error={leave.isError ? errorInFull(leave.error, 'The account could not be deleted.') : undefined}
      onConfirm={() => leave.mutate({ body: { password } })}
      onClose={onClose}
    />
  )
}

import { deleteAccount, exportOwnData } from '@shapecast/contracts/own-account'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { formatDate } from '#kit/format/time.ts'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { ConfirmDialog } from '#kit/ui/confirm-dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { PasswordField } from '#kit/ui/password-field.tsx'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { paths } from '#routes/paths.ts'
import { file } from '#wire/calls/client.ts'
import { errorInFull } from '#wire/calls/error-text.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useAuthSession } from '#wire/session/auth-context.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'

/** All own data as a file, and the end of the account. */
export function YourData() {
  const [isLeaving, setIsLeaving] = useState(false)
  const download = useMutation({
    mutationFn: () => file(exportOwnData, {}),
    onSuccess: (received) => saveFile(received, 'shapecast-data.json'),
  })
  return (
    <Card title="Your data" flush>
      {download.isError && (
        <div className={layout.inset}>
          <FailedChange change={download} text="Your data could not be downloaded." />
        </div>
      )}
      <SettingRow
        title="Download"
        action={
          <Button size="small" startIcon={<Download />} {...busyButton(download.isPending, () => download.mutate())}>
            {download.isPending ? 'Preparing…' : 'Download my data'}
          </Button>
        }
      >
        Profile, bots, trades, decisions, tasks and votes in one file.
      </SettingRow>
      <SettingRow
        title="Delete account"
        action={
          <Button variant="danger" size="small" onClick={() => setIsLeaving(true)}>
            Delete account
          </Button>
        }
      >
        Stops your bots. You can come back within 14 days by signing in; then everything is gone.
      </SettingRow>
      {isLeaving && <DeleteAccountDialog onClose={() => setIsLeaving(false)} />}
    </Card>
  )
}

/** Asks for the password, ends the session, and says on Sign In until when the account can be kept. */
function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
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
      disabledReason={password === '' ? 'Enter your password first' : undefined}
      busy={leave.isPending}
      error={leave.isError ? errorInFull(leave.error, 'The account could not be deleted.') : undefined}
      onConfirm={() => leave.mutate({ body: { password } })}
      onClose={onClose}
    />
  )
}

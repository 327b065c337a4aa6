import { zodResolver } from '@hookform/resolvers/zod'
import { Email, NewPassword, PASSWORDS_DIFFER, type User, Username } from '@shapecast/contracts/auth'
import { changePassword, changeProfile, deleteAccount, exportOwnData, security } from '@shapecast/contracts/own-account'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { formatDate } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { ConfirmDialog } from '#kit/ui/dialog.tsx'
import { registered } from '#kit/ui/field.tsx'
import layout from '#kit/ui/layout.module.css'
import { SettingRow } from '#kit/ui/setting-row.tsx'
import { PasswordField, TextField, useTyped } from '#kit/ui/text-field.tsx'
import { paths } from '#routes/paths.ts'
import { file } from '#wire/calls/client.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useAuthSession, useUser } from '#wire/session/auth-context.ts'
import { confirming, FailedChange } from '#wire/ui/failed-change.tsx'

/** The own name, address and password, and all own data: to download, or to delete with the account. */
export function ProfilePage() {
  const user = useUser()
  if (user === null) return null
  return (
    <div className={layout.formColumn}>
      <NameForm key={`${user.username} ${user.email}`} user={user} />
      <PasswordForm />
      <YourData />
    </div>
  )
}

const NameFields = z.object({ username: Username, email: Email, currentPassword: z.string() })

/** Name and email address; another address takes the password. */
function NameForm({ user }: { user: User }) {
  const session = useAuthSession()
  const form = useForm({
    resolver: zodResolver(NameFields),
    defaultValues: { username: user.username, email: user.email, currentPassword: '' },
  })
  const { isDirty } = form.formState
  const save = useEndpointMutation(changeProfile, { onSuccess: (reply) => session.renamed(reply.user) })
  const isNewAddress = form.watch('email').trim().toLowerCase() !== user.email
  const submit = form.handleSubmit(({ username, email, currentPassword }) =>
    save.mutate({
      body: {
        ...(username !== user.username && { username }),
        ...(email !== user.email && { email, currentPassword }),
      },
    }),
  )
  return (
    <Card title="Profile" facts="others see your name, never your address">
      <form noValidate onSubmit={submit} className={layout.formFields}>
        <FailedChange change={save} text="The profile was not changed." />
        <TextField label="Username" autoComplete="username" {...registered(form, 'username')} />
        <TextField label="Email" type="email" autoComplete="email" {...registered(form, 'email')} />
        {isNewAddress && (
          <PasswordField
            label="Current password"
            autoComplete="current-password"
            help="Another email address needs it: you sign in with the address"
            {...registered(form, 'currentPassword')}
          />
        )}
        <div>
          <Button
            type="submit"
            variant="contained"
            disabled={!isDirty}
            title={isDirty ? undefined : 'Nothing is changed yet'}
            {...busyButton(save.isPending)}
          >
            {save.isPending ? 'Saving…' : 'Save profile'}
          </Button>
        </div>
      </form>
    </Card>
  )
}

const PasswordFields = z
  .object({
    currentPassword: z.string().min(1, 'Password is required'),
    newPassword: NewPassword,
    confirmPassword: z.string(),
  })
  .refine((form) => form.newPassword === form.confirmPassword, { path: ['confirmPassword'], message: PASSWORDS_DIFFER })

/** A new password for the old one. */
function PasswordForm() {
  const changedAt = useEndpointQuery(security, {}).data?.passwordChangedAt
  const form = useForm({
    resolver: zodResolver(PasswordFields),
    defaultValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
  })
  const save = useEndpointMutation(changePassword)
  const submit = form.handleSubmit(({ currentPassword, newPassword }) =>
    save.mutate({ body: { currentPassword, newPassword } }, { onSuccess: () => form.reset() }),
  )
  return (
    <Card title="Password" {...(changedAt !== undefined && { facts: `changed ${formatDate(changedAt)}` })}>
      <form noValidate onSubmit={submit} className={layout.formFields}>
        <FailedChange change={save} text="The password was not changed." />
        {save.isSuccess && <Banner kind="info" title="The password is changed. Your other sessions have ended." />}
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...registered(form, 'currentPassword')}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          help="At least 6 characters"
          {...registered(form, 'newPassword')}
        />
        <PasswordField label="Confirm password" autoComplete="new-password" {...registered(form, 'confirmPassword')} />
        <div>
          <Button type="submit" {...busyButton(save.isPending)}>
            {save.isPending ? 'Changing…' : 'Change password'}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** All own data as a file, and the end of the account. */
function YourData() {
  const [isLeaving, setIsLeaving] = useState(false)
  const download = useMutation({
    mutationFn: () => file(exportOwnData, {}),
    onSuccess: (received) => saveFile(received, 'shapecast-data.json'),
  })
  return (
    <Card title="Your data" flush>
      <FailedChange change={download} text="Your data could not be downloaded." inset />
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
  const password = useTyped()
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
      subject={<PasswordField label="Password" autoComplete="current-password" {...password.field} />}
      {...confirming(leave, 'Delete account', 'Deleting…', 'The account could not be deleted.')}
      disabledReason={password.text === '' ? 'Enter your password first' : undefined}
      onConfirm={() => leave.mutate({ body: { password: password.text } })}
      onClose={onClose}
    />
  )
}

import { zodResolver } from '@hookform/resolvers/zod'
import { Email, NewPassword, PASSWORDS_DIFFER, type User, Username } from '@shapecast/contracts/auth'
import { changePassword, changeProfile, security } from '@shapecast/contracts/own-account'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { formatDate } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { registered } from '#kit/ui/form-fields.ts'
import layout from '#kit/ui/layout.module.css'
import { PasswordField } from '#kit/ui/password-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useAuthSession, useUser } from '#wire/session/auth-context.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'
import { YourData } from './your-data.tsx'

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

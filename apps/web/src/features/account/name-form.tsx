import { zodResolver } from '@hookform/resolvers/zod'
import { Button } from '@mui/material'
import { Email, type User, Username } from '@shapecast/contracts/auth'
import { changeProfile } from '@shapecast/contracts/own-account'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { busyPress } from '#kit/ui/busy-press.ts'
import { Card } from '#kit/ui/card.tsx'
import { registered } from '#kit/ui/form-fields.ts'
import layout from '#kit/ui/layout.module.css'
import { PasswordField } from '#kit/ui/password-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useAuthSession } from '#wire/session/auth-context.ts'
import { FailedChange } from '#wire/ui/failed-change.tsx'

const NameFields = z.object({ username: Username, email: Email, currentPassword: z.string() })

/** Name and email address; another address takes the password. */
export function NameForm({ user }: { user: User }) {
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
            {...busyPress(save.isPending)}
          >
            {save.isPending ? 'Saving…' : 'Save profile'}
          </Button>
        </div>
      </form>
    </Card>
  )
}

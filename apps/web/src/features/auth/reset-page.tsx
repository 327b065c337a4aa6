import { zodResolver } from '@hookform/resolvers/zod'
import { resetPassword } from '@shapecast/contracts/own-account'
import { useForm } from 'react-hook-form'
import { registered } from '#kit/ui/field.tsx'
import { PasswordField, TextField } from '#kit/ui/text-field.tsx'
import { paths } from '#routes/paths.ts'
import { call } from '#wire/calls/client.ts'
import { ResetForm } from './auth-form.ts'
import { AuthPage } from './auth-page.tsx'

/** What a mailed link brings behind its #, where no server gets to see it. */
function brought(): { email: string; code: string } {
  const hash = new URLSearchParams(window.location.hash.slice(1))
  return { email: hash.get('email') ?? '', code: hash.get('code') ?? '' }
}

/** Sets a new password with the one-time code of an admin, or of a link that was mailed. */
export function ResetPage() {
  const form = useForm({
    resolver: zodResolver(ResetForm),
    defaultValues: { ...brought(), newPassword: '', confirmPassword: '' },
  })
  return (
    <AuthPage
      title="New password"
      lead="With the one-time code that an admin gave you, or that was mailed."
      other={{ question: 'Know your password?', label: 'Sign In', to: paths.login }}
      form={form}
      enter={({ confirmPassword: _, ...body }: ResetForm) => call(resetPassword, { body })}
      next={{ path: paths.login, notice: 'Your new password is set. Sign in with it.' }}
      failedWords="The password could not be set."
      label="Set password"
      busyLabel="Setting it..."
    >
      <TextField label="Email" type="email" autoComplete="email" {...registered(form, 'email')} />
      <TextField label="Reset code" autoComplete="off" {...registered(form, 'code')} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        help="At least 6 characters"
        {...registered(form, 'newPassword')}
      />
      <PasswordField label="Confirm password" autoComplete="new-password" {...registered(form, 'confirmPassword')} />
    </AuthPage>
  )
}

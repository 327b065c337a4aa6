import { zodResolver } from '@hookform/resolvers/zod'
import { Email } from '@shapecast/contracts/auth'
import { forgotPassword } from '@shapecast/contracts/own-account'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { registered } from '#kit/ui/field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { paths } from '#routes/paths.ts'
import { call } from '#wire/calls/client.ts'
import { AuthPage } from './auth-page.tsx'

const ForgotForm = z.object({ email: Email })

/** Asks for a link that sets a new password. Whether the address has an account is not said. */
export function ForgotPage() {
  const form = useForm({ resolver: zodResolver(ForgotForm), defaultValues: { email: '' } })
  return (
    <AuthPage
      title="Forgotten password"
      lead="A link that sets a new one is mailed to you."
      other={{ question: 'Know your password?', label: 'Sign In', to: paths.login }}
      form={form}
      enter={(body) => call(forgotPassword, { body })}
      next={{
        path: paths.login,
        notice: 'If this address has an account, a link is on its way. It works once, within an hour.',
      }}
      failedWords="No link could be mailed."
      label="Mail me a link"
      busyLabel="Asking for it..."
    >
      <TextField label="Email" type="email" autoComplete="email" {...registered(form, 'email')} />
    </AuthPage>
  )
}

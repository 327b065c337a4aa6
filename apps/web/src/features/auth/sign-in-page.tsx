import { zodResolver } from '@hookform/resolvers/zod'
import { ApiError } from '@shapecast/contracts/client'
import { registrationMode } from '@shapecast/contracts/own-account'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link as RouterLink } from 'react-router'
import { registered } from '#kit/ui/field.tsx'
import { Link } from '#kit/ui/primitives.tsx'
import { PasswordField, TextField } from '#kit/ui/text-field.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useAuthSession } from '#wire/session/auth-context.ts'
import { LOGIN_FAILED, SignInForm } from './auth-form.ts'
import { AuthPage } from './auth-page.tsx'

export function SignInPage() {
  const session = useAuthSession()
  const form = useForm({ resolver: zodResolver(SignInForm), defaultValues: { email: '', password: '', code: '' } })
  const mode = useEndpointQuery(registrationMode, {})
  const [takesCode, setTakesCode] = useState(false)

  async function enter({ code, ...credentials }: SignInForm): Promise<void> {
    try {
      await session.login({ ...credentials, ...(code !== '' && { code }) })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'second_factor_required') setTakesCode(true)
      throw error
    }
  }

  return (
    <AuthPage
      title="Sign In"
      lead="Welcome back."
      other={{ question: 'No account yet?', label: 'Sign Up', to: paths.register }}
      form={form}
      enter={enter}
      failedWords={LOGIN_FAILED}
      label="Sign In"
      busyLabel="Signing in..."
    >
      <TextField label="Email" type="email" autoComplete="email" {...registered(form, 'email')} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        help={
          mode.data?.resetsByMail ? (
            <Link as={RouterLink} to={paths.forgot}>
              Forgotten?
            </Link>
          ) : (
            <>
              Forgotten? Ask an admin for a reset code, then{' '}
              <Link as={RouterLink} to={paths.reset}>
                set a new password
              </Link>
              .
            </>
          )
        }
        {...registered(form, 'password')}
      />
      {takesCode && (
        <TextField
          label="Code"
          help="Of your authenticator app, or a recovery code"
          autoComplete="one-time-code"
          autoFocus
          {...registered(form, 'code')}
        />
      )}
    </AuthPage>
  )
}

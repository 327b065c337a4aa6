import { zodResolver } from '@hookform/resolvers/zod'
import { ApiError } from '@shapecast/contracts/client'
import { registrationMode } from '@shapecast/contracts/own-account'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation } from 'react-router'
import { setDismissed } from '#kit/kept.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { registered } from '#kit/ui/field.tsx'
import { PasswordField, TextField } from '#kit/ui/text-field.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useAuthSession } from '#wire/session/auth-context.ts'
import { welcomeKey } from '#wire/session/welcome-key.ts'
import { REGISTRATION_FAILED, SignUpForm } from './auth-form.ts'
import { AuthPage } from './auth-page.tsx'

export function SignUpPage() {
  const session = useAuthSession()
  const invited = new URLSearchParams(useLocation().hash.slice(1)).get('invitation') ?? ''
  const mode = useEndpointQuery(registrationMode, {}).data?.registration
  const form = useForm({
    resolver: zodResolver(SignUpForm),
    defaultValues: { username: '', email: '', password: '', confirmPassword: '', code: '', invitation: invited },
  })
  const [takesCode, setTakesCode] = useState(false)

  const [takesInvitation, setTakesInvitation] = useState(invited !== '')

  async function enter({ username, email, password, code, invitation }: SignUpForm): Promise<void> {
    try {
      await session.register({
        username,
        email,
        password,
        ...(code !== '' && { code }),
        ...(invitation !== '' && { invitation }),
      })
      const { user } = session.state()
      if (user !== null) setDismissed(welcomeKey(user), false)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'registration_code') setTakesCode(true)
      if (error instanceof ApiError && error.code === 'registration_closed') setTakesInvitation(true)
      throw error
    }
  }

  return (
    <AuthPage
      title="Sign Up"
      lead="Create an account to train, test and compare predictions."
      other={{ question: 'Already have an account?', label: 'Sign In', to: paths.login }}
      form={form}
      enter={enter}
      failedWords={REGISTRATION_FAILED}
      label="Sign Up"
      busyLabel="Signing up..."
    >
      {mode === 'closed' && (
        <Banner kind="warning" title="Registration is closed">
          Ask an admin of this installation.
        </Banner>
      )}
      <TextField label="Username" autoComplete="username" {...registered(form, 'username')} />
      <TextField label="Email" type="email" autoComplete="email" {...registered(form, 'email')} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        help="At least 6 characters"
        {...registered(form, 'password')}
      />
      <PasswordField label="Confirm password" autoComplete="new-password" {...registered(form, 'confirmPassword')} />
      {(takesInvitation || mode === 'invitation') && (
        <TextField
          label="Invitation code"
          help="It goes with the email address that was invited"
          autoComplete="off"
          {...registered(form, 'invitation')}
        />
      )}
      {takesCode && <TextField label="Code of the start" autoComplete="off" {...registered(form, 'code')} />}
    </AuthPage>
  )
}

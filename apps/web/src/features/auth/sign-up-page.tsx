import { zodResolver } from '@hookform/resolvers/zod'
import { ApiError } from '@shapecast/contracts/client'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useAuthSession } from '../../shared/auth/auth-context.ts'
import { PasswordField } from '../../shared/ui/password-field.tsx'
import { TextField } from '../../shared/ui/text-field.tsx'
import { AuthForm } from './auth-form.tsx'
import { REGISTRATION_FAILED, SignUpForm } from './auth-forms.ts'
import { AuthPage } from './auth-page.tsx'

export function SignUpPage() {
  const session = useAuthSession()
  const form = useForm({
    resolver: zodResolver(SignUpForm),
    defaultValues: { username: '', email: '', password: '', confirmPassword: '', code: '' },
  })
  const { register } = form
  const { errors } = form.formState
  const [takesCode, setTakesCode] = useState(false)

  async function enter({ username, email, password, code }: SignUpForm): Promise<void> {
    try {
      await session.register({ username, email, password, ...(code !== '' && { code }) })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'registration_code') setTakesCode(true)
      throw error
    }
  }

  return (
    <AuthPage
      title="Sign Up"
      lead="Create an account to train, test and compare predictions."
      other={{ question: 'Already have an account?', label: 'Sign In', to: '/login' }}
    >
      <AuthForm form={form} enter={enter} failedWords={REGISTRATION_FAILED} label="Sign Up" busyLabel="Signing up...">
        <TextField
          label="Username"
          autoComplete="username"
          error={errors.username?.message}
          {...register('username')}
        />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          help="At least 6 characters"
          error={errors.password?.message}
          {...register('password')}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          error={errors.confirmPassword?.message}
          {...register('confirmPassword')}
        />
        {takesCode && <TextField label="Code of the start" autoComplete="off" {...register('code')} />}
      </AuthForm>
    </AuthPage>
  )
}

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useAuthSession } from '../../shared/auth/auth-context.ts'
import { PasswordField } from '../../shared/ui/password-field.tsx'
import { TextField } from '../../shared/ui/text-field.tsx'
import { AuthForm } from './auth-form.tsx'
import { LOGIN_FAILED, SignInForm } from './auth-forms.ts'
import { AuthPage } from './auth-page.tsx'

export function SignInPage() {
  const session = useAuthSession()
  const form = useForm({ resolver: zodResolver(SignInForm), defaultValues: { email: '', password: '' } })
  const { register } = form
  const { errors } = form.formState
  return (
    <AuthPage
      title="Sign In"
      lead="Welcome back."
      other={{ question: 'No account yet?', label: 'Sign Up', to: '/register' }}
    >
      <AuthForm form={form} enter={session.login} failedWords={LOGIN_FAILED} label="Sign In" busyLabel="Signing in...">
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...register('password')}
        />
      </AuthForm>
    </AuthPage>
  )
}

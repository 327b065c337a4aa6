import { zodResolver } from '@hookform/resolvers/zod'
import { Box, Button } from '@mui/material'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { errorDetail, errorText } from '../../shared/api/error-text.ts'
import { useAuthSession } from '../../shared/auth/auth-context.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { PasswordField } from '../../shared/ui/password-field.tsx'
import { TextField } from '../../shared/ui/text-field.tsx'
import { LOGIN_FAILED, SignInForm } from './auth-forms.ts'
import { AuthPage } from './auth-page.tsx'

export function SignInPage() {
  const session = useAuthSession()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>(null)
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(SignInForm),
    defaultValues: { email: '', password: '' },
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async (credentials) => {
    setFailure(null)
    try {
      await session.login(credentials)
      await navigate('/dashboard', { replace: true })
    } catch (error) {
      console.warn('Login failed.', error)
      setFailure(error)
    }
  })

  return (
    <AuthPage
      title="Sign In"
      lead="Welcome back."
      other={{ question: 'No account yet?', label: 'Sign Up', to: '/register' }}
    >
      <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2 }}>
        {failure !== null && (
          <Banner kind="error" title={errorText(failure, LOGIN_FAILED)} onDismiss={() => setFailure(null)}>
            {errorDetail(failure)}
          </Banner>
        )}
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
        <Button type="submit" variant="contained" fullWidth disabled={isSubmitting} sx={{ mt: 1 }}>
          {isSubmitting ? 'Signing in...' : 'Sign In'}
        </Button>
      </Box>
    </AuthPage>
  )
}

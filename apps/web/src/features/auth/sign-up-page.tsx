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
import { REGISTRATION_FAILED, SignUpForm } from './auth-forms.ts'
import { AuthPage } from './auth-page.tsx'

export function SignUpPage() {
  const session = useAuthSession()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>(null)
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(SignUpForm),
    defaultValues: { username: '', email: '', password: '', confirmPassword: '' },
  })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ username, email, password }) => {
    setFailure(null)
    try {
      await session.register({ username, email, password })
      await navigate('/dashboard', { replace: true })
    } catch (error) {
      console.warn('Registration failed.', error)
      setFailure(error)
    }
  })

  return (
    <AuthPage
      title="Sign Up"
      lead="Create an account to train, test and compare predictions."
      other={{ question: 'Already have an account?', label: 'Sign In', to: '/login' }}
    >
      <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2 }}>
        {failure !== null && (
          <Banner kind="error" title={errorText(failure, REGISTRATION_FAILED)} onDismiss={() => setFailure(null)}>
            {errorDetail(failure)}
          </Banner>
        )}
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
        <Button type="submit" variant="contained" fullWidth disabled={isSubmitting} sx={{ mt: 1 }}>
          {isSubmitting ? 'Signing up...' : 'Sign Up'}
        </Button>
      </Box>
    </AuthPage>
  )
}

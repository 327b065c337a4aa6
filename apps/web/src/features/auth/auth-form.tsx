import { Credentials, PASSWORDS_DIFFER, Registration } from '@shapecast/contracts/auth'
import { resetPassword } from '@shapecast/contracts/own-account'
import { type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Column } from '#kit/ui/primitives.tsx'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'

interface AuthFormProps<Fields extends FieldValues, Entered> {
  form: UseFormReturn<Fields, unknown, Entered>
  /** Signs in or up, or sets a password. */
  enter: (entered: Entered) => Promise<unknown>
  /** Where to go on, for somebody who is not signed in by it. */
  next?: { path: string; notice: string }
  /** Said where that fails for a reason without words of its own. */
  failedWords: string
  label: string
  busyLabel: string
  children: ReactNode
}

/** The fields, what went wrong last, and the button of Sign In and Sign Up. */
export function AuthForm<Fields extends FieldValues, Entered>({
  form,
  enter,
  next,
  failedWords,
  label,
  busyLabel,
  children,
}: AuthFormProps<Fields, Entered>) {
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>(null)
  const { isSubmitting } = form.formState

  const submit = form.handleSubmit(async (entered) => {
    setFailure(null)
    try {
      await enter(entered)
      if (next !== undefined) await navigate(next.path, { replace: true, state: { notice: next.notice } })
    } catch (error) {
      console.warn(failedWords, error)
      setFailure(error)
    }
  })

  return (
    <Column as="form" gap={2} noValidate onSubmit={submit}>
      {failure !== null && (
        <Banner kind="error" title={errorText(failure, failedWords)} onDismiss={() => setFailure(null)}>
          {errorDetail(failure)}
        </Banner>
      )}
      {children}
      <Button type="submit" variant="contained" fullWidth style={{ marginTop: 8 }} {...busyButton(isSubmitting)}>
        {isSubmitting ? busyLabel : label}
      </Button>
    </Column>
  )
}

export const LOGIN_FAILED = 'Login failed. Please check your email and password.'
export const REGISTRATION_FAILED = 'Registration failed. Please try again.'
const EMAIL_REQUIRED = 'Email is required'
const PASSWORD_REQUIRED = 'Password is required'

/** An empty field is missing, which is told before what is wrong with it. */
const required = <Schema extends z.ZodType<string, string>>(missing: string, rule: Schema) =>
  z.string().trim().min(1, missing).pipe(rule)

export const SignInForm = z.object({
  email: required(EMAIL_REQUIRED, Credentials.shape.email),
  password: Credentials.shape.password,
  code: z.string(),
})
export type SignInForm = z.infer<typeof SignInForm>

export const SignUpForm = z
  .object({
    username: Registration.shape.username,
    email: required(EMAIL_REQUIRED, Registration.shape.email),
    password: z.string().min(1, PASSWORD_REQUIRED).pipe(Registration.shape.password),
    confirmPassword: z.string(),
    code: z.string(),
    invitation: z.string(),
  })
  .refine((form) => form.password === form.confirmPassword, { path: ['confirmPassword'], message: PASSWORDS_DIFFER })
export type SignUpForm = z.infer<typeof SignUpForm>

export const ResetForm = z
  .object({ ...resetPassword.body.shape, confirmPassword: z.string() })
  .refine((form) => form.newPassword === form.confirmPassword, { path: ['confirmPassword'], message: PASSWORDS_DIFFER })
export type ResetForm = z.infer<typeof ResetForm>

import { Credentials, PASSWORDS_DIFFER, Registration } from '@shapecast/contracts/auth'
import { resetPassword } from '@shapecast/contracts/own-account'
import { z } from 'zod'

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

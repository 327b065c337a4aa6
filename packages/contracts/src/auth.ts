import { z } from 'zod'
import { socialEndpoint } from './endpoint.ts'

export const ROLES = ['admin', 'bot_manager', 'user'] as const
export const Role = z.enum(ROLES)
export type Role = z.infer<typeof Role>

/** The privileged group: may run backtests and change a model's stage. */
export const isManager = (role: Role): boolean => role === 'admin' || role === 'bot_manager'

export const UserId = z.uuid()
export const User = z.object({
  id: UserId,
  username: z.string(),
  email: z.string(),
  role: Role,
})
export type User = z.infer<typeof User>

export const AuthReply = z.object({ accessToken: z.string(), user: User })
export type AuthReply = z.infer<typeof AuthReply>

export const USERNAME_TOO_SHORT = 'Username must be at least 3 characters long'
export const PASSWORD_TOO_SHORT = 'Password must be at least 6 characters long'
export const PASSWORDS_DIFFER = 'Passwords do not match'

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'Email must be at most 254 characters long')
  .pipe(z.email('Enter an email address'))
export const NewPassword = z
  .string()
  .min(6, PASSWORD_TOO_SHORT)
  .max(200, 'Password must be at most 200 characters long')
  .refine((password) => password.trim() !== '', 'Password must not be blank')

export const Username = z
  .string()
  .trim()
  .min(3, USERNAME_TOO_SHORT)
  .max(40, 'Username must be at most 40 characters long')
  .regex(/^\P{C}*$/u, 'Username must not contain invisible characters')

export const Registration = z.object({
  username: Username,
  email: Email,
  password: NewPassword,
  /** The code that the start prints: for the first account of an installation, from another machine. */
  code: z.string().trim().max(40).optional(),
  /** The code of an invitation, where registering needs one. */
  invitation: z.string().trim().max(100).optional(),
})
export const Credentials = z.object({
  email: Email,
  password: z.string().min(1, 'Password is required').max(200),
  /** Of the authenticator app, or a recovery code; where the account has a second factor. */
  code: z.string().trim().max(30).optional(),
})

export const register = socialEndpoint('POST /api/auth/register', {
  summary: 'Create an account and sign in. The first account of an installation is its admin.',
  access: 'public',
  touches: [],
  body: Registration,
  reply: AuthReply,
  errors: ['email_taken', 'username_taken', 'registration_code', 'registration_closed', 'too_many_requests'],
})

export const login = socialEndpoint('POST /api/auth/login', {
  summary: 'Sign in with email and password.',
  access: 'public',
  touches: [],
  body: Credentials,
  reply: AuthReply,
  errors: ['invalid_credentials', 'account_disabled', 'second_factor_required', 'wrong_code', 'too_many_requests'],
})

export const profile = socialEndpoint('GET /api/auth/profile', {
  whileLimited: true,
  summary: 'The signed-in user.',
  reply: z.object({ user: User }),
})

export const logout = socialEndpoint('POST /api/auth/logout', {
  whileLimited: true,
  summary: 'End this session at once, on both services.',
  touches: [],
})

export const socialHealth = socialEndpoint('GET /health', {
  summary: '200 only while the database is migrated and takes changes; else 503 within two seconds, with the reason.',
  access: 'public',
  reply: z.object({ status: z.literal('ok') }),
  errors: ['unavailable'],
})

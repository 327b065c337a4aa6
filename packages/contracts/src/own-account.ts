import { z } from 'zod'
import { Email, NewPassword, profile, User, Username } from './auth.ts'
import { fileOf, socialEndpoint } from './endpoint.ts'
import { Policy } from './policy.ts'
import { epochMs } from './units.ts'

const Password = z.string().min(1, 'Password is required').max(200)
/** Six digits of an authenticator app, or a recovery code. */
export const SecondFactorCode = z.string().trim().min(6, 'A code has at least 6 characters').max(30)

export const registrationMode = socialEndpoint('GET /api/auth/registration', {
  summary: 'Whether anybody may register, only with an invitation, or nobody; and whether passwords are reset by mail.',
  access: 'public',
  reply: Policy.pick({ registration: true }).extend({
    /** Whether a forgotten password can be reset by mail. */
    resetsByMail: z.boolean(),
  }),
})

export const changeProfile = socialEndpoint('PATCH /api/auth/profile', {
  summary:
    'Change the own name or email address; the address needs the current password, and the second factor again where it is on.',
  touches: [profile],
  proof: 'sometimes',
  body: z
    .object({ username: Username.optional(), email: Email.optional(), currentPassword: Password.optional() })
    .refine(({ username, email }) => username !== undefined || email !== undefined, 'Give a username or an email'),
  reply: z.object({ user: User }),
  errors: ['email_taken', 'username_taken', 'too_many_requests'],
})

export const OwnSession = z.object({
  id: z.uuid(),
  isCurrent: z.boolean(),
  address: z.string().nullable(),
  /** As the browser names itself; null where it did not. */
  userAgent: z.string().nullable(),
  createdAt: epochMs(),
  /** To five minutes. */
  lastSeenAt: epochMs(),
})
export type OwnSession = z.infer<typeof OwnSession>

export const ownSessions = socialEndpoint('GET /api/auth/sessions', {
  summary: 'Where the caller is signed in.',
  reply: z.object({ sessions: z.array(OwnSession) }),
})

export const endSession = socialEndpoint('DELETE /api/auth/sessions/:id', {
  summary: 'End one of the own sessions.',
  touches: [ownSessions],
})

export const endOtherSessions = socialEndpoint('POST /api/auth/sessions/end-others', {
  summary: 'End every own session but this one.',
  touches: [ownSessions],
})

export const exportOwnData = socialEndpoint('GET /api/auth/export', {
  summary: 'Everything that is kept of the caller, as one JSON file.',
  ...fileOf('application/json'),
})

export const deleteAccount = socialEndpoint('POST /api/auth/delete-account', {
  summary:
    'Delete the own account in 14 days and stop its bots now. Signing in before that keeps it. With a second factor, that is given again besides.',
  touches: [],
  proof: 'sometimes',
  body: z.object({ password: Password }),
  reply: z.object({ deletesAt: epochMs() }),
  errors: ['last_admin', 'conflict', 'too_many_requests'],
})

export const forgotPassword = socialEndpoint('POST /api/auth/forgot', {
  summary:
    'Mail a link that sets a new password, once, within an hour. The answer and its time are the same whether the address has an account or not.',
  access: 'public',
  touches: [],
  body: z.object({ email: Email }),
  errors: ['too_many_requests', 'unprocessable'],
})

export const resetPassword = socialEndpoint('POST /api/auth/reset', {
  summary:
    'Set a new password with the one-time code that an admin gave, or that came by mail. Ends every session of the account. A code of an admin takes the second factor away, one by mail leaves it.',
  access: 'public',
  touches: [],
  body: z.object({ email: Email, code: SecondFactorCode, newPassword: NewPassword }),
  errors: ['wrong_code', 'too_many_requests'],
})

export const security = socialEndpoint('GET /api/auth/security', {
  summary: 'When the password was changed, and how the second factor stands.',
  whileLimited: true,
  reply: z.object({
    passwordChangedAt: epochMs(),
    secondFactor: z.object({
      /** Since when; null while it is off. */
      onSince: z.number().nullable(),
      recoveryCodesLeft: z.number().int(),
      /** Whether the caller's role needs one. */
      isRequired: z.boolean(),
    }),
  }),
})

export const changePassword = socialEndpoint('POST /api/auth/password', {
  summary:
    'Change the password and end every other session of this user. With a second factor, that is given again besides.',
  touches: [security, ownSessions],
  proof: 'sometimes',
  body: z.object({ currentPassword: z.string().min(1).max(200), newPassword: NewPassword }),
  errors: ['too_many_requests'],
})

export const beginSecondFactor = socialEndpoint('POST /api/auth/second-factor', {
  summary:
    'A new secret for an authenticator app (TOTP, RFC 6238). It holds once a code of it was given. Where the second factor is on, it takes a code of the device in use, or a recovery code.',
  touches: [],
  whileLimited: true,
  body: z.object({ password: Password, code: SecondFactorCode.optional() }),
  reply: z.object({
    secret: z.string(),
    /** otpauth:// address, to be shown as a QR code. */
    uri: z.string(),
  }),
  errors: ['second_factor_required', 'wrong_code', 'too_many_requests'],
})

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const finishSecondFactor = socialEndpoint('POST /api/auth/second-factor/confirm', {
  summary: 'Switch the second factor on with a code of the new secret. The recovery codes are shown this once.',
  // A session that could do nothing without a second factor now can.
  touches: 'everything',
  whileLimited: true,
  body: z.object({ code: SecondFactorCode }),
  reply: RecoveryCodes,
  errors: ['wrong_code', 'too_many_requests', 'conflict'],
})

export const renewRecoveryCodes = socialEndpoint('POST /api/auth/second-factor/recovery-codes', {
  summary: 'Ten new recovery codes in place of the old ones.',
  touches: [security],
  body: z.object({ code: SecondFactorCode }),
  reply: RecoveryCodes,
  errors: ['wrong_code', 'too_many_requests', 'conflict'],
})

export const endSecondFactor = socialEndpoint('POST /api/auth/second-factor/off', {
  summary: 'Switch the second factor off. Not where the role requires it.',
  touches: [security],
  body: z.object({ password: Password, code: SecondFactorCode }),
  errors: ['wrong_code', 'too_many_requests', 'conflict'],
})

export const confirmItIsMe = socialEndpoint('POST /api/auth/confirm', {
  summary:
    'Give the second factor again, or the password where there is none: good for five minutes of what asks for it.',
  touches: [],
  body: z.object({ password: Password.optional(), code: SecondFactorCode.optional() }),
  reply: z.object({ until: epochMs() }),
  errors: ['wrong_code', 'too_many_requests'],
})

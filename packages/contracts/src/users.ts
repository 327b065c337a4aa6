import { z } from 'zod'
import { Email, Role, User, UserId } from './auth.ts'
import { fileOf, socialEndpoint } from './endpoint.ts'
import { Policy } from './policy.ts'
import { Page } from './tasks.ts'
import { epochMs } from './units.ts'
import { UserName } from './user-name.ts'

export const UserState = z.enum(['active', 'disabled', 'leaving'])
export type UserState = z.infer<typeof UserState>

export const ManagedUser = User.extend({
  state: UserState,
  hasSecondFactor: z.boolean(),
  sessions: z.number().int(),
  createdAt: epochMs(),
  lastSeenAt: epochMs().nullable(),
  /** When the account will be deleted; null unless its deletion was asked for. */
  deletesAt: epochMs().nullable(),
})
export type ManagedUser = z.infer<typeof ManagedUser>

export const users = socialEndpoint('GET /api/users', {
  summary: 'Every account, by name.',
  access: 'admin',
  query: z.object({
    /** Part of a name or an email address. */
    search: z.string().trim().max(100).optional(),
    role: Role.optional(),
    page: Page,
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  reply: z.object({
    users: z.array(ManagedUser),
    /** Of the search; the others of the whole installation. */
    total: z.number().int(),
    active: z.number().int(),
    disabled: z.number().int(),
    invited: z.number().int(),
  }),
})

export const changeUser = socialEndpoint('PATCH /api/users/:id', {
  summary:
    'Give a user another role, or disable or enable the account. The last admin stays one. All but to disable takes fresh proof of who calls.',
  access: 'admin',
  touches: [users],
  proof: 'sometimes',
  body: z
    .object({ role: Role.optional(), disabled: z.boolean().optional() })
    .refine(({ role, disabled }) => role !== undefined || disabled !== undefined, 'Give a role or disabled'),
  reply: z.object({ user: ManagedUser }),
  errors: ['not_found', 'last_admin'],
})

export const makeResetCode = socialEndpoint('POST /api/users/:id/reset-code', {
  summary: 'A code with which the user sets a new password, once, within a day. It is shown this once.',
  access: 'admin',
  touches: [],
  proof: 'always',
  reply: z.object({ code: z.string(), expiresAt: epochMs() }),
})

export const endSessionsOf = socialEndpoint('DELETE /api/users/:id/sessions', {
  summary: 'Sign a user out everywhere.',
  access: 'admin',
  touches: [users],
})

export const Invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  invitedBy: UserName.nullable(),
  createdAt: epochMs(),
  expiresAt: epochMs(),
})
export type Invitation = z.infer<typeof Invitation>

export const invitations = socialEndpoint('GET /api/invitations', {
  summary: 'Invitations that nobody has taken up yet.',
  access: 'admin',
  reply: z.object({ invitations: z.array(Invitation) }),
})

export const invite = socialEndpoint('POST /api/invitations', {
  summary: 'Invite an email address: the code registers it, once, within 7 days. It is shown this once.',
  access: 'admin',
  touches: [invitations, users],
  body: z.object({ email: Email }),
  reply: z.object({ invitation: Invitation, code: z.string() }),
  errors: ['email_taken'],
})

export const withdrawInvitation = socialEndpoint('DELETE /api/invitations/:id', {
  summary: 'Withdraw an invitation.',
  access: 'admin',
  touches: [invitations, users],
})

export const policy = socialEndpoint('GET /api/policy', {
  summary: 'Who may come in, and what is asked of them.',
  reply: z.object({ policy: Policy }),
})

export const changePolicy = socialEndpoint('PATCH /api/policy', {
  summary: 'Change who may come in, and what is asked of them. To ask less takes fresh proof of who calls.',
  access: 'admin',
  touches: [policy],
  proof: 'sometimes',
  body: z
    .object({
      registration: z.enum(['open', 'invitation', 'closed']),
      secondFactorForManagers: z.boolean(),
      confirmRealBots: z.boolean(),
      tasksRestricted: z.boolean(),
      privateWebhooks: z.boolean(),
    })
    .partial(),
  reply: z.object({ policy: Policy }),
})

export const AuditRecord = z.object({
  id: z.uuid(),
  at: epochMs(),
  /** Null for the system; `username` is null where the account was deleted. */
  actor: z.object({ id: z.uuid(), username: z.string().nullable() }).nullable(),
  address: z.string().nullable(),
  action: z.string(),
  /** Its newest name; null of what has none, and of a deleted account. */
  subject: z.object({ type: z.string(), id: z.string(), name: z.string().nullable() }),
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditRecord = z.infer<typeof AuditRecord>

/** A time in ms, up to the end of the year 9999: the database writes later ones differently. */
const AuditTime = z.coerce.number().int().min(0).max(253_402_300_799_999)

const AuditFilter = z.object({
  actor: UserId.optional(),
  /** A whole action (`bot.created`), or the beginning of some (`bot.`). */
  action: z.string().trim().max(60).optional(),
  subjectType: z.string().trim().max(60).optional(),
  subject: z.string().trim().max(200).optional(),
  /** Part of the name or of the id of what something was done to, in any case. */
  about: z.string().trim().max(200).optional(),
  from: AuditTime.optional(),
  to: AuditTime.optional(),
})
export type AuditFilter = z.infer<typeof AuditFilter>

export const auditLog = socialEndpoint('GET /api/audit', {
  summary: 'What was done by whom and to what, the newest first.',
  access: 'admin',
  query: AuditFilter.extend({
    /** Entries older than this one: the last of the page before. */
    before: z.uuid().optional(),
    limit: z.coerce.number().int().min(1).max(500).default(50),
  }),
  reply: z.object({
    entries: z.array(AuditRecord),
    hasMore: z.boolean(),
    /** All that the filters fit, on whichever page. */
    total: z.number().int(),
  }),
})

export const exportAudit = socialEndpoint('GET /api/audit/export', {
  summary: 'All of the audit that the filters fit as CSV, the newest first.',
  access: 'admin',
  query: AuditFilter,
  ...fileOf('text/csv'),
})

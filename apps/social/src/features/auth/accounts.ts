import type { AuthReply, Role, User } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { PasswordAttempts } from './password-attempts.ts'
import { hashPassword, passwordMatches } from './password-hash.ts'
import { findUserByEmail, findUserById, insertUser, publicUser, storePasswordHash, storeRole } from './user-store.ts'

/** The sessions that this room starts and ends; both services check them. */
export interface AuthSessions {
  start(user: { id: string; role: Role }): Promise<string>
  end(sessionId: string): Promise<void>
  /** Ends all of a user's sessions, but the one named. */
  endAllOf(userId: string, except?: string): Promise<void>
}

/** One row of the audit trail. */
export interface AuditEntry {
  action: string
  actorId: string | null
  subjectId: string
  address: string | null
  before?: unknown
  after?: unknown
}

export interface AccountDeps {
  db: NodePgDatabase
  sessions: AuthSessions
  attempts: PasswordAttempts
  audit(entry: AuditEntry): Promise<void>
  now(): number
}

/** Who calls, and from where. */
export interface Caller {
  userId: string
  sessionId: string
  address: string
}

/** Accounts: registering, signing in and out, passwords. */
export const createAccounts = ({ db, sessions, attempts, audit, now }: AccountDeps) => {
  const signedIn = async (user: User): Promise<AuthReply> => ({ accessToken: await sessions.start(user), user })

  return {
    /** Makes an account and signs it in. Throws `email_taken`, `username_taken`. */
    async register(draft: { username: string; email: string; password: string }, address: string): Promise<AuthReply> {
      const passwordHash = await hashPassword(draft.password)
      const row = await insertUser(db, { username: draft.username, email: draft.email, passwordHash }, now())
      const user = publicUser(row)
      await audit({
        action: 'user.register',
        actorId: user.id,
        subjectId: user.id,
        address,
        after: { username: user.username, role: user.role },
      })
      return signedIn(user)
    },

    /** Signs in. A wrong e-mail and a wrong password take the same path and time: `invalid_credentials`. */
    async login(credentials: { email: string; password: string }, address: string): Promise<AuthReply> {
      await attempts.take(credentials.email, address)
      const row = await findUserByEmail(db, credentials.email)
      const matches = await passwordMatches(row?.passwordHash, credentials.password)
      if (row === undefined || !matches)
        throw new AppError('invalid_credentials', 'The e-mail address or the password is wrong.')
      await attempts.clear(credentials.email, address)
      await audit({ action: 'user.login', actorId: row.id, subjectId: row.id, address })
      return signedIn(publicUser(row))
    },

    /** The user of a session. Throws `unauthorized` where the account is gone. */
    async profile(userId: string): Promise<User> {
      const row = await findUserById(db, userId)
      if (row === undefined) throw new AppError('unauthorized', 'This account no longer exists. Sign in again.')
      return publicUser(row)
    },

    async logout(caller: Caller): Promise<void> {
      await sessions.end(caller.sessionId)
      await audit({
        action: 'user.logout',
        actorId: caller.userId,
        subjectId: caller.userId,
        address: caller.address,
      })
    },

    /**
     * Changes the password, and ends every session of the user but the caller's. A wrong current password is
     * `bad_input`, not 401: the session itself is good, and a 401 would sign the person out.
     */
    async changePassword(caller: Caller, passwords: { currentPassword: string; newPassword: string }): Promise<void> {
      const row = await findUserById(db, caller.userId)
      if (row === undefined) throw new AppError('unauthorized', 'This account no longer exists. Sign in again.')
      await attempts.take(row.email, caller.address)
      if (!(await passwordMatches(row.passwordHash, passwords.currentPassword)))
        throw new AppError('bad_input', 'The current password is wrong.', { field: 'currentPassword' })
      await attempts.clear(row.email, caller.address)
      await storePasswordHash(db, row.id, await hashPassword(passwords.newPassword))
      await sessions.endAllOf(row.id, caller.sessionId)
      await audit({ action: 'user.password', actorId: row.id, subjectId: row.id, address: caller.address })
    },
  }
}
export type Accounts = ReturnType<typeof createAccounts>

/**
 * Gives the account with this e-mail address a role and ends its sessions, as their tokens carry the old one.
 * Throws `not_found` where nobody has registered with the address.
 */
export async function grantRole(
  deps: Pick<AccountDeps, 'db' | 'sessions' | 'audit'>,
  email: string,
  role: Role,
): Promise<User> {
  const row = await findUserByEmail(deps.db, email)
  if (row === undefined) throw new AppError('not_found', `No account has the e-mail address ${email}.`)
  const before = await storeRole(deps.db, row.id, role)
  if (before !== role) await deps.sessions.endAllOf(row.id)
  await deps.audit({
    action: 'user.role',
    actorId: null,
    subjectId: row.id,
    address: null,
    before: { role: before },
    after: { role },
  })
  return { ...publicUser(row), role }
}

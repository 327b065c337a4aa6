import type { AuthReply, Role, User } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import { recordActivity } from '@shapecast/platform/activities'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import type { Sessions } from '@shapecast/platform/sessions'
import { refuseCommonPassword } from './common-passwords.ts'
import type { PasswordAttempts } from './password-attempts.ts'
import { hashPassword, passwordMatches } from './password-hash.ts'
import type { UserRow } from './tables.ts'
import {
  findUserByEmail,
  findUserById,
  holdUser,
  insertUser,
  publicUser,
  storePasswordHash,
  storeRole,
} from './user-store.ts'

export interface AccountDeps {
  db: Database
  sessions: Sessions
  attempts: PasswordAttempts
  log: Logger
  now(): number
}

/** A signed-in person, and from where the request comes. */
export interface SignedIn {
  userId: string
  sid: string
  address: string
}

/** What docs/operations.md tells fail2ban to look for. */
const SIGN_IN_FAILED = 'sign-in failed'
const subjectOf = (id: string) => ({ type: 'user', id })
const wrongCredentials = () => new AppError('invalid_credentials', 'The e-mail address or the password is wrong.')
const wrongCurrentPassword = () =>
  new AppError('bad_input', 'The current password is wrong.', { field: 'currentPassword' })
const gone = () => new AppError('unauthorized', 'This account no longer exists. Sign in again.')

/** Accounts: registering, signing in and out, passwords. */
export const createAccounts = ({ db, sessions, attempts, log, now }: AccountDeps) => {
  const signIn = async (tx: Orm, user: User, address: string): Promise<AuthReply> => {
    const { accessToken } = await sessions.issue({ userId: user.id, role: user.role, address }, tx)
    return { accessToken, user }
  }

  /** Takes one of the attempts of the address, which the log is told where there is none left. */
  const takeAttempt = async (email: string, address: string): Promise<void> => {
    await attempts.take(email, address).catch((error: unknown) => {
      if (error instanceof AppError) log.warn({ address, code: error.code }, SIGN_IN_FAILED)
      throw error
    })
  }

  /** Writes a wrong password down where an administrator, and a program that reads the log, finds it. */
  const failed = async (user: UserRow | undefined, email: string, action: string, address: string): Promise<void> => {
    log.warn({ address, userId: user?.id ?? null }, SIGN_IN_FAILED)
    const subject = user === undefined ? { type: 'email', id: email } : subjectOf(user.id)
    await recordAudit(db.orm, { actorId: null, address, action, subject })
  }

  return {
    /** Makes an account and signs it in. Throws `email_taken`, `username_taken`, `registration_code`. */
    async register(
      draft: { username: string; email: string; password: string },
      address: string,
      mayBeFirst: boolean,
    ): Promise<AuthReply> {
      await refuseCommonPassword(draft.password, 'password')
      const passwordHash = await hashPassword(draft.password)
      return db.orm.transaction(async (tx) => {
        const made = publicUser(
          await insertUser(tx, { username: draft.username, email: draft.email, passwordHash }, now(), mayBeFirst),
        )
        await recordAudit(tx, {
          actorId: made.id,
          address,
          action: 'user.registered',
          subject: subjectOf(made.id),
          after: { username: made.username, role: made.role },
        })
        await recordActivity(tx, {
          type: 'user',
          action: 'user.registered',
          actorId: made.id,
          subject: { id: made.id, name: made.username },
        })
        return signIn(tx, made, address)
      })
    },

    /**
     * Signs in. A wrong e-mail and a wrong password take the same path and time: `invalid_credentials`. Only the right
     * password learns that the account is disabled: `account_disabled`.
     */
    async login(credentials: { email: string; password: string }, address: string): Promise<AuthReply> {
      await takeAttempt(credentials.email, address)
      const row = await findUserByEmail(db.orm, credentials.email)
      const matches = await passwordMatches(row?.passwordHash, credentials.password)
      if (row === undefined || !matches) {
        await failed(row, credentials.email, 'user.sign_in_failed', address)
        throw wrongCredentials()
      }
      await attempts.clear(credentials.email, address)
      return db.orm.transaction(async (tx) => {
        // A change of the password or the role ends the sessions that there are: none may begin beside it on the old ones.
        const user = await holdUser(tx, row.id, 'share')
        if (user?.passwordHash !== row.passwordHash) throw wrongCredentials()
        if (user.disabledAt !== null)
          throw new AppError('account_disabled', 'This account was disabled. Ask an admin of this installation.')
        await recordAudit(tx, { actorId: user.id, address, action: 'user.signed_in', subject: subjectOf(user.id) })
        return signIn(tx, publicUser(user), address)
      })
    },

    /** The user of a session. Throws `unauthorized` where the account is gone. */
    async profile(userId: string): Promise<User> {
      const row = await findUserById(db.orm, userId)
      if (row === undefined) throw gone()
      return publicUser(row)
    },

    async logout({ userId, sid, address }: SignedIn): Promise<void> {
      await db.orm.transaction(async (tx) => {
        await sessions.end(sid, tx)
        await recordAudit(tx, { actorId: userId, address, action: 'user.signed_out', subject: subjectOf(userId) })
      })
    },

    /**
     * Changes the password, and ends every session of the user but the caller's. A wrong current password is
     * `bad_input`, not 401: the session itself is good, and a 401 would sign the person out.
     */
    async changePassword(
      { userId, sid, address }: SignedIn,
      passwords: { currentPassword: string; newPassword: string },
    ): Promise<void> {
      await refuseCommonPassword(passwords.newPassword, 'newPassword')
      const row = await findUserById(db.orm, userId)
      if (row === undefined) throw gone()
      await takeAttempt(row.email, address)
      if (!(await passwordMatches(row.passwordHash, passwords.currentPassword))) {
        await failed(row, row.email, 'user.password_change_failed', address)
        throw wrongCurrentPassword()
      }
      await attempts.clear(row.email, address)
      const passwordHash = await hashPassword(passwords.newPassword)
      await db.orm.transaction(async (tx) => {
        // Of two that change it at once, the second one gave a password that is the current one no more.
        const held = await holdUser(tx, userId, 'update')
        if (held?.passwordHash !== row.passwordHash) throw wrongCurrentPassword()
        await storePasswordHash(tx, userId, passwordHash)
        await sessions.endOthers(userId, sid, tx)
        await recordAudit(tx, { actorId: userId, address, action: 'user.password_changed', subject: subjectOf(userId) })
      })
    },
  }
}
export type Accounts = ReturnType<typeof createAccounts>

/**
 * Gives the account with this e-mail address a role and ends its sessions, as their tokens carry the old one.
 * Throws `not_found` where nobody has registered with the address.
 */
export async function grantRole(
  { db, sessions }: Pick<AccountDeps, 'db' | 'sessions'>,
  email: string,
  role: Role,
): Promise<User> {
  return db.orm.transaction(async (tx) => {
    const found = await findUserByEmail(tx, email)
    const row = found && (await holdUser(tx, found.id, 'update'))
    if (row === undefined) throw new AppError('not_found', `No account has the e-mail address ${email}.`)
    if (row.role !== role) {
      await storeRole(tx, row.id, role)
      await sessions.endAll(row.id, tx)
      await recordAudit(tx, {
        actorId: null,
        address: null,
        action: 'user.role_changed',
        subject: subjectOf(row.id),
        before: { role: row.role },
        after: { role },
      })
    }
    return { ...publicUser(row), role }
  })
}

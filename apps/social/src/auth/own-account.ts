import type { User } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { OwnSession } from '@shapecast/contracts/own-account'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import type { Logger } from '@shapecast/platform/logging'
import { notify } from '@shapecast/platform/notify'
import type { Caller, Member, Sessions } from '@shapecast/platform/sessions'
import {
  findUserByEmail,
  holdUser,
  publicUser,
  requireOtherAdmin,
  storeProfile,
  updateUser,
} from '../users/user-store.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { type Confirmations, gone, wrongCode } from './confirmations.ts'
import type { Guesses } from './guesses.ts'
import { hashPassword } from './password-hash.ts'
import { hasSession, listSessions } from './session-list.ts'
import type { SecondFactor } from './sign-in.ts'

/** How long an account that its owner deletes can be taken back, by signing in. */
export const GRACE_MS = 14 * 86_400_000

export interface OwnAccountDeps {
  db: Database
  sessions: Sessions
  guesses: Guesses
  confirmations: Confirmations
  /** Takes a reset code: who made it; null where it was not good. */
  takeResetCode(tx: Orm, userId: string, code: string): Promise<'admin' | 'mail' | null>
  /** Mails a link that sets a new password, where the address has an account; null where this installation mails nothing. */
  mailReset(email: string, address: string): Promise<(() => Promise<void>) | null>
  log: Logger
  secondFactor: SecondFactor
  /** Stops what a user's bots do. */
  stopBots(tx: Orm, userId: string): Promise<void>
  /** What the other service keeps of a user, by subject. */
  exportTrading(userId: string): Promise<Record<string, unknown>>
  now(): number
}

/** No account has this id. */
const NOBODY = '00000000-0000-0000-0000-000000000000'
const subjectOf = (id: string) => ({ type: 'user', id })

/** Asks for the strongest proof of who calls. */
const proofOf = ({ db, confirmations, ...deps }: OwnAccountDeps) => {
  const { requirePassword } = confirmations

  /** The password, and where the account has a second factor, that too: a password alone is not the strongest proof then. */
  async function requireStrongest(member: Member, password: string, prove: Prove, field?: string): Promise<void> {
    await requirePassword(member, password, field)
    if (await deps.secondFactor.isOn(db.orm, member.userId)) await prove()
  }
  return { requireStrongest }
}

/** Taking data along, and leaving. */
const leavingOf = (
  { db, sessions, confirmations, now, ...deps }: OwnAccountDeps,
  { requireStrongest }: ReturnType<typeof proofOf>,
) => {
  const { account } = confirmations
  return {
    /** Deletes the account in 14 days, stops its bots and ends its sessions now. Throws `last_admin`. */
    async delete(caller: Caller, password: string, prove: Prove): Promise<number> {
      await requireStrongest(caller, password, prove)
      const { userId } = caller
      const deletesAtMs = now() + GRACE_MS
      await db.orm.transaction(async (tx) => {
        const user = await holdUser(tx, userId, 'update')
        if (user === undefined) throw gone()
        await requireOtherAdmin(tx, user)
        await updateUser(tx, userId, { deletesAtMs })
        await deps.stopBots(tx, userId)
        await sessions.endAll(userId, tx)
        await recordAudit(tx, caller, { action: 'user.deletion_asked', subject: subjectOf(userId) })
      })
      return deletesAtMs
    },

    /** Everything that is kept of a user, without hashes and secrets. */
    async export({ userId, sid }: Caller): Promise<string> {
      const user = await account(userId)
      const own = async (table: string, columns: string, where: string) =>
        (await db.pool.query(`select ${columns} from ${table} where ${where} = $1`, [userId])).rows
      const file = {
        profile: { ...publicUser(user), createdAt: user.createdAtMs },
        sessions: await listSessions(db.orm, userId, sid, now()),
        tasks: await own(
          'social.tasks',
          'id, title, description, status, priority, tags, created_at_ms, updated_at_ms, deleted_at_ms',
          'author_id',
        ),
        votes: await own('social.votes', 'task_id, vote_type, comment, created_at_ms, updated_at_ms', 'user_id'),
        notifications: await own(
          'platform.notifications',
          'id, kind, title, text, link, bot, created_at_ms, read_at_ms',
          'user_id',
        ),
        notificationSettings: await own('platform.notification_settings', 'choices', 'user_id'),
        notificationReceivers: await own('platform.notification_receivers', 'channel, url, is_on', 'user_id'),
        activities: await own(
          'platform.activities',
          'at, type, action, is_public, subject_id, subject_name, detail',
          'actor_id',
        ),
        // Without what was before and after: an admin's entries are about others.
        audit: await own('platform.audit', 'at, address, action, subject_type, subject_id', 'actor_id'),
        ...(await deps.exportTrading(userId)),
      }
      return JSON.stringify(file, null, 2)
    },
  }
}

/** Sessions of the account. */
const ownSessionsOf = ({ db, sessions, now }: OwnAccountDeps) => ({
  sessions: ({ userId, sid }: Caller): Promise<OwnSession[]> => listSessions(db.orm, userId, sid, now()),

  async endSession(caller: Caller, id: string): Promise<void> {
    const { userId } = caller
    await db.orm.transaction(async (tx) => {
      if (!(await hasSession(tx, userId, id, now()))) throw new AppError('not_found', 'This session has ended already.')
      await sessions.end(id, tx)
      await recordAudit(tx, caller, { action: 'user.session_ended', subject: subjectOf(userId) })
    })
  },

  async endOthers(caller: Caller): Promise<void> {
    const { userId, sid } = caller
    await db.orm.transaction(async (tx) => {
      await sessions.endOthers(userId, sid, tx)
      await recordAudit(tx, caller, { action: 'user.sessions_ended', subject: subjectOf(userId) })
    })
  },
})

/** What people do with their own accounts, beyond signing in and out. */
export const createOwnAccount = (deps: OwnAccountDeps) => {
  const { db, sessions, guesses, confirmations, now } = deps
  const shared = proofOf(deps)
  const { requireStrongest } = shared
  const { account } = confirmations

  async function tell(tx: Orm, userId: string, title: string): Promise<void> {
    const text = 'If this was not you, tell an admin of this installation.'
    await notify(tx, userId, { kind: 'security', title, text, link: '/settings/security' }, now())
  }
  return {
    ...leavingOf(deps, shared),

    ...ownSessionsOf(deps),

    async changedAt(userId: string): Promise<number> {
      const row = await account(userId)
      return row.passwordChangedAtMs ?? row.createdAtMs
    },

    /** Changes the name, or with the strongest proof the email address. Throws `email_taken`, `username_taken`. */
    async changeProfile(
      caller: Caller,
      change: { username?: string | undefined; email?: string | undefined; currentPassword?: string | undefined },
      prove: Prove,
    ): Promise<User> {
      const { userId } = caller
      if (change.email !== undefined)
        await requireStrongest(caller, change.currentPassword ?? '', prove, 'currentPassword')
      return db.orm.transaction(async (tx) => {
        const before = await holdUser(tx, userId, 'update')
        if (before === undefined) throw gone()
        const after = await storeProfile(tx, userId, change)
        await recordAudit(tx, caller, {
          action: 'user.profile_changed',
          subject: subjectOf(userId),
          before: { username: before.username, email: before.email },
          after: { username: after.username, email: after.email },
        })
        if (before.email !== after.email) await tell(tx, userId, 'Your email address was changed')
        return publicUser(after)
      })
    },

    /**
     * Mails a link that sets a new password. Everything that depends on whether there is such an account happens after
     * the answer, so that neither the answer nor its time tells.
     */
    async forgot(email: string, address: string): Promise<void> {
      const mail = await deps.mailReset(email, address)
      if (mail === null)
        throw new AppError('unprocessable', 'This installation sends no mail. Ask an admin for a reset code.')
      await guesses.take('forgot', email, address)
      void mail().catch((error: unknown) => deps.log.warn({ err: error }, 'a reset link could not be mailed'))
    },

    /**
     * Sets a new password with a code, once, and ends every session. An admin's takes a lost second factor away; of one
     * that was mailed it stays.
     */
    async reset(given: { email: string; code: string; newPassword: string }, address: string): Promise<void> {
      await refuseCommonPassword(given.newPassword, 'newPassword')
      await guesses.take('reset', given.email, address)
      const passwordHash = await hashPassword(given.newPassword)
      const row = await findUserByEmail(db.orm, given.email)
      const isDone = await db.orm.transaction(async (tx) => {
        // Of an address without an account the same is asked, so that the time tells nothing.
        const userId = row?.id ?? NOBODY
        const user = await holdUser(tx, userId, 'update')
        const way = await deps.takeResetCode(tx, userId, given.code)
        if (user === undefined || way === null) return false
        // Only who has the code learns that the password is one of the account's names; the code stays good.
        await refuseCommonPassword(given.newPassword, 'newPassword', user)
        await updateUser(tx, user.id, { passwordHash, passwordChangedAtMs: now() })
        if (way === 'admin') await deps.secondFactor.remove(tx, user.id)
        await sessions.endAll(user.id, tx)
        await recordAudit(
          tx,
          { userId: user.id, address },
          { action: 'user.password_reset', subject: subjectOf(user.id) },
        )
        await tell(tx, user.id, 'Your password was set with a reset code')
        return true
      })
      if (!isDone) {
        await guesses.failed({ id: row?.id ?? null, email: given.email }, 'user.reset_failed', address)
        throw wrongCode()
      }
      await guesses.clear('reset', given.email, address)
    },
  }
}

export type OwnAccount = ReturnType<typeof createOwnAccount>

import type { Role } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import { type Policy, weakensPolicy } from '@shapecast/contracts/policy'
import type { Invitation, ManagedUser } from '@shapecast/contracts/users'
import type { Doer } from '@shapecast/platform/audit'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import { notify } from '@shapecast/platform/notify'
import { readPolicy, storePolicy } from '@shapecast/platform/policy'
import { liftAllSessions } from '@shapecast/platform/session-marks'
import type { Sessions } from '@shapecast/platform/sessions'
import { and, eq, gt } from 'drizzle-orm'
import { hashOfCode, makeCode } from '../ground/one-time-code.ts'
import { deleteInvitation, listInvitations, storeInvitation, takeInvitation } from './invitation-store.ts'
import { resetCodes } from './tables.ts'
import { findManagedUser } from './user-list.ts'
import { findUserByEmail, holdUser, requireOtherAdmin, updateUser } from './user-store.ts'
import type { UserRow } from './users-table.ts'

const RESET_CODE_MS = 86_400_000
const MAILED_CODE_MS = 3_600_000
const INVITATION_MS = 7 * 86_400_000

export interface UserServiceDeps {
  db: Database
  sessions: Sessions
  /** Has the bots of somebody who is no active admin any more open nothing with real money. */
  pauseRealBots(tx: Orm, userId: string): Promise<void>
  now(): number
}

type PolicyChange = { readonly [Key in keyof Policy]?: Policy[Key] | undefined }

const missing = () => new AppError('not_found', 'There is no such account.')
const subjectOf = (id: string) => ({ type: 'user', id })

/** One change of an account, held and written down. */
const changeOf =
  ({ db }: UserServiceDeps) =>
  <T>(id: string, work: (tx: Orm, user: UserRow) => Promise<T>): Promise<T> =>
    db.orm.transaction(async (tx) => {
      const user = await holdUser(tx, id, 'update')
      if (user === undefined) throw missing()
      return work(tx, user)
    })

type ResetWay = (typeof resetCodes.$inferSelect)['way']

async function keepResetCode(
  tx: Orm,
  { userId, way, code, expiresAtMs }: { userId: string; way: ResetWay; code: string; expiresAtMs: number },
): Promise<void> {
  const kept = { codeHash: hashOfCode(code), expiresAtMs }
  await tx
    .insert(resetCodes)
    .values({ userId, way, ...kept })
    .onConflictDoUpdate({ target: [resetCodes.userId, resetCodes.way], set: kept })
}

/** Codes by which somebody who forgot a password sets a new one. */
const resetsOf = ({ db, now }: UserServiceDeps, change: ReturnType<typeof changeOf>) => ({
  /** A code for a new password, good once and for a day; a newer one takes its place. */
  makeResetCode: (id: string, doer: Doer): Promise<{ code: string; expiresAt: number }> =>
    change(id, async (tx) => {
      const code = makeCode()
      const expiresAt = now() + RESET_CODE_MS
      await keepResetCode(tx, { userId: id, way: 'admin', code, expiresAtMs: expiresAt })
      await recordAudit(tx, doer, { action: 'user.reset_code_made', subject: subjectOf(id) })
      const text = 'Somebody who has it can set a new password. If you did not ask for it, tell an admin.'
      await notify(tx, id, { kind: 'security', title: 'An admin made a reset code for your account', text }, now())
      return { code, expiresAt }
    }),

  /** A code for a new password that is mailed, good once and for an hour; null where no account has the address. */
  async mailedResetCode(email: string, address: string): Promise<string | null> {
    const user = await findUserByEmail(db.orm, email)
    if (user === undefined || user.disabledAt !== null) return null
    const code = makeCode()
    await db.orm.transaction(async (tx) => {
      await keepResetCode(tx, { userId: user.id, way: 'mail', code, expiresAtMs: now() + MAILED_CODE_MS })
      const doer = { userId: null, address }
      await recordAudit(tx, doer, { action: 'user.reset_code_mailed', subject: subjectOf(user.id) })
    })
    return code
  },

  /** Takes a reset code: who made it; null where it was not good. */
  async takeResetCode(tx: Orm, userId: string, code: string): Promise<ResetWay | null> {
    const which = and(
      eq(resetCodes.userId, userId),
      eq(resetCodes.codeHash, hashOfCode(code)),
      gt(resetCodes.expiresAtMs, now()),
    )
    const taken = await tx.delete(resetCodes).where(which).returning()
    return taken[0]?.way ?? null
  },
})

/** Who may register, and by whose invitation. */
const invitationsOf = ({ db, now }: UserServiceDeps) => ({
  invitations: (): Promise<Invitation[]> => listInvitations(db.orm, now()),

  /** Invites an address; a newer invitation takes the older one's place. Throws `email_taken`. */
  async invite(email: string, doer: Doer): Promise<{ invitation: Invitation; code: string }> {
    const code = makeCode()
    const id = await db.orm.transaction(async (tx) => {
      if ((await findUserByEmail(tx, email)) !== undefined)
        throw new AppError('email_taken', 'This address has an account already.', { field: 'email' })
      const made = await storeInvitation(tx, {
        email,
        codeHash: hashOfCode(code),
        invitedBy: doer.userId,
        createdAtMs: now(),
        expiresAtMs: now() + INVITATION_MS,
      })
      await recordAudit(tx, doer, {
        action: 'user.invited',
        subject: { type: 'invitation', id: made },
        after: { email },
      })
      return made
    })
    const invitation = (await listInvitations(db.orm, now())).find((one) => one.id === id)!
    return { invitation, code }
  },

  async withdraw(id: string, doer: Doer): Promise<void> {
    await db.orm.transaction(async (tx) => {
      const email = await deleteInvitation(tx, id)
      if (email === undefined) throw new AppError('not_found', 'This invitation was taken up or withdrawn.')
      await recordAudit(tx, doer, {
        action: 'user.invitation_withdrawn',
        subject: { type: 'invitation', id },
        before: { email },
      })
    })
  },

  /** Throws `registration_closed` where this address may not register with this code. */
  async admit(tx: Orm, email: string, invitation: string | undefined): Promise<void> {
    const { registration } = await readPolicy(tx)
    if (registration === 'open') return
    if (registration === 'closed')
      throw new AppError('registration_closed', 'Registration is closed. Ask an admin of this installation.')
    if (invitation !== undefined && (await takeInvitation(tx, email, hashOfCode(invitation), now()))) return
    throw new AppError('registration_closed', 'Registering needs an invitation to this email address.')
  },

  /**
   * Changes the policy; what is left out stays. Where it then asks less, `prove` is asked first. A second factor is asked
   * for from the next sign-in on.
   */
  changePolicy: (wanted: PolicyChange, doer: Doer, prove: Prove): Promise<Policy> =>
    db.orm.transaction(async (tx) => {
      const before = await readPolicy(tx)
      const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
      const after: Policy = { ...before, ...given }
      if (weakensPolicy(before, after)) await prove()
      await storePolicy(tx, after)
      if (!after.secondFactorForManagers) await liftAllSessions(tx)
      const subject = { type: 'installation', id: 'policy' }
      await recordAudit(tx, doer, { action: 'policy.changed', subject, before, after })
      return after
    }),
})

/** What admins do with accounts, at a screen or at the command line. */
export const createUserService = (deps: UserServiceDeps) => {
  const { db, sessions, pauseRealBots, now } = deps
  const change = changeOf(deps)
  const read = async (id: string): Promise<ManagedUser> => {
    const user = await findManagedUser(db.orm, id, now())
    if (user === undefined) throw missing()
    return user
  }
  return {
    ...resetsOf(deps, change),

    ...invitationsOf(deps),

    read,

    /** The account with an email address. Throws `not_found`. */
    async byEmail(email: string): Promise<ManagedUser> {
      const found = await findUserByEmail(db.orm, email)
      if (found === undefined) throw new AppError('not_found', `No account has the email address ${email}.`)
      return read(found.id)
    },

    /** Gives a role, ends the sessions whose tokens carry the old one, and pauses bots with real money. Throws `last_admin`. */
    setRole: (id: string, role: Role, doer: Doer): Promise<void> =>
      change(id, async (tx, user) => {
        if (user.role === role) return
        await requireOtherAdmin(tx, user)
        await updateUser(tx, id, { role })
        await pauseRealBots(tx, id)
        await sessions.endAll(id, tx)
        const [before, after] = [{ role: user.role }, { role }]
        await recordAudit(tx, doer, { action: 'user.role_changed', subject: subjectOf(id), before, after })
      }),

    /** Disables an account, which ends its sessions and pauses its bots with real money, or enables it again. Throws `last_admin`. */
    setDisabled: (id: string, disabled: boolean, doer: Doer): Promise<void> =>
      change(id, async (tx, user) => {
        if ((user.disabledAt !== null) === disabled) return
        if (disabled) {
          await requireOtherAdmin(tx, user)
          await pauseRealBots(tx, id)
        }
        await updateUser(tx, id, { disabledAt: disabled ? new Date(now()) : null })
        await recordAudit(tx, doer, { action: disabled ? 'user.disabled' : 'user.enabled', subject: subjectOf(id) })
      }),

    endSessions: (id: string, doer: Doer): Promise<void> =>
      change(id, async (tx) => {
        await sessions.endAll(id, tx)
        await recordAudit(tx, doer, { action: 'user.sessions_ended', subject: subjectOf(id) })
      }),
  }
}

export type UserService = ReturnType<typeof createUserService>

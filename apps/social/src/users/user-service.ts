import type { Role } from '@shapecast/contracts/auth'
import type { BodyOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { type Policy, weakensPolicy } from '@shapecast/contracts/policy'
import type { changePolicy as changePolicyCall, ManagedUser } from '@shapecast/contracts/users'
import { type Doer, recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import { readPolicy, storePolicy } from '@shapecast/platform/policy'
import { liftAllSessions } from '@shapecast/platform/sessions'
import type { Social, TradingData } from '../ground/social.ts'
import { auditUser } from './account-news.ts'
import { findManagedUser } from './user-list.ts'
import { findUserByEmail, holdUser, requireOtherAdmin, updateUser } from './user-store.ts'
import type { UserRow } from './users-table.ts'

// What admins do with accounts, at a screen or at the command line.

export interface AccountGround extends Pick<Social, 'db' | 'sessions' | 'now'> {
  readonly tradingData: Pick<TradingData, 'pauseRealBots'>
}

const missing = () => new AppError('not_found', 'There is no such account.')

/** One change of an account, which is held until it is made. */
export const changeUser = <T>(
  { db }: Pick<Social, 'db'>,
  id: string,
  work: (tx: Orm, user: UserRow) => Promise<T>,
): Promise<T> =>
  db.orm.transaction(async (tx) => {
    const user = await holdUser(tx, id, 'update')
    if (user === undefined) throw missing()
    return work(tx, user)
  })

export async function readUser({ db, now }: Pick<Social, 'db' | 'now'>, id: string): Promise<ManagedUser> {
  const user = await findManagedUser(db.orm, id, now())
  if (user === undefined) throw missing()
  return user
}

/** The account with an email address. Throws `not_found`. */
export async function userByEmail(ground: Pick<Social, 'db' | 'now'>, email: string): Promise<ManagedUser> {
  const found = await findUserByEmail(ground.db.orm, email)
  if (found === undefined) throw new AppError('not_found', `No account has the email address ${email}.`)
  return readUser(ground, found.id)
}

/** Gives a role, ends the sessions whose tokens carry the old one, and pauses bots with real money. Throws `last_admin`. */
export const setRole = (ground: AccountGround, id: string, role: Role, doer: Doer): Promise<void> =>
  changeUser(ground, id, async (tx, user) => {
    if (user.role === role) return
    await requireOtherAdmin(tx, user)
    await updateUser(tx, id, { role })
    await ground.tradingData.pauseRealBots(tx, id)
    await ground.sessions.endAll(id, tx)
    await auditUser(tx, doer, 'user.role_changed', id, { before: { role: user.role }, after: { role } })
  })

/** Disables an account, which ends its sessions and pauses its bots with real money, or enables it again. Throws `last_admin`. */
export const setDisabled = (ground: AccountGround, id: string, disabled: boolean, doer: Doer): Promise<void> =>
  changeUser(ground, id, async (tx, user) => {
    if ((user.disabledAt !== null) === disabled) return
    if (disabled) {
      await requireOtherAdmin(tx, user)
      await ground.tradingData.pauseRealBots(tx, id)
    }
    await updateUser(tx, id, { disabledAt: disabled ? new Date(ground.now()) : null })
    await auditUser(tx, doer, disabled ? 'user.disabled' : 'user.enabled', id)
  })

export const endSessionsOf = (ground: AccountGround, id: string, doer: Doer): Promise<void> =>
  changeUser(ground, id, async (tx) => {
    await ground.sessions.endAll(id, tx)
    await auditUser(tx, doer, 'user.sessions_ended', id)
  })

/**
 * Changes the policy; what is left out stays. Where it then asks less, `prove` is asked first. A second factor is asked
 * for from the next sign-in on.
 */
export const changePolicy = (
  { db }: Pick<Social, 'db'>,
  wanted: BodyOf<typeof changePolicyCall>,
  doer: Doer,
  prove: Prove,
): Promise<{ policy: Policy }> =>
  db.orm.transaction(async (tx) => {
    const before = await readPolicy(tx)
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
    const policy: Policy = { ...before, ...given }
    if (weakensPolicy(before, policy)) await prove()
    await storePolicy(tx, policy)
    if (!policy.secondFactorForManagers) await liftAllSessions(tx)
    const subject = { type: 'installation', id: 'policy' }
    await recordAudit(tx, doer, { action: 'policy.changed', subject, before, after: policy })
    return { policy }
  })

import type { User } from '@shapecast/contracts/auth'
import type { BodyOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import type { changeProfile as changeProfileCall, resetPassword as resetCall } from '@shapecast/contracts/own-account'
import { sendMail } from '@shapecast/platform/channels/mail'
import type { MailOutlet } from '@shapecast/platform/channels/outlets'
import type { Orm } from '@shapecast/platform/database/database'
import { newId } from '@shapecast/platform/database/new-id'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import type { Caller } from '@shapecast/platform/sessions'
import type { Social } from '../ground/social.ts'
import { accountOf, gone, requirePassword, wrongCode } from '../proof/confirmations.ts'
import { guess, takeGuess } from '../proof/guesses.ts'
import { hashPassword } from '../proof/password-hash.ts'
import { hasSecondFactor, removeSecondFactor } from '../proof/second-factor.ts'
import { auditUser, tellOwner } from '../users/account-news.ts'
import { mailedResetCode, takeResetCode } from '../users/reset-codes.ts'
import {
  findUserByEmail,
  holdUser,
  publicUser,
  requireOtherAdmin,
  storeProfile,
  updateUser,
} from '../users/user-store.ts'
import type { UserRow } from '../users/users-table.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { hasSession, listSessions } from './session-list.ts'

/** How long an account that its owner deletes can be taken back, by signing in. */
const GRACE_MS = 14 * 86_400_000
/** No account has this id. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Asks for the strongest proof of who calls: the password, and where the account has a second factor, that too. */
async function requireStrongest(social: Social, caller: Caller, password: string, prove: Prove, field?: string) {
  await requirePassword(social, caller, password, field)
  if (await hasSecondFactor(social.db.orm, caller.userId)) await prove()
}

/** A change of the caller's own account, which is held until it is made. */
const changeOwn = <T>({ db }: Social, { userId }: Caller, work: (tx: Orm, user: UserRow) => Promise<T>): Promise<T> =>
  db.orm.transaction(async (tx) => {
    const user = await holdUser(tx, userId, 'update')
    if (user === undefined) throw gone()
    return work(tx, user)
  })

const tell = (tx: Orm, userId: string, title: string, nowMs: number): Promise<void> =>
  tellOwner(tx, userId, { title, text: 'If this was not you, tell an admin of this installation.' }, nowMs)

export async function passwordChangedAt(social: Social, userId: string): Promise<number> {
  const row = await accountOf(social, userId)
  return row.passwordChangedAtMs ?? row.createdAtMs
}

/** Changes the name, or with the strongest proof the email address. Throws `email_taken`, `username_taken`. */
export async function changeProfile(
  social: Social,
  caller: Caller,
  { currentPassword = '', ...change }: BodyOf<typeof changeProfileCall>,
  prove: Prove,
): Promise<{ user: User }> {
  if (change.email !== undefined) await requireStrongest(social, caller, currentPassword, prove, 'currentPassword')
  return changeOwn(social, caller, async (tx, user) => {
    const changed = await storeProfile(tx, user.id, change)
    const [before, after] = [user, changed].map(({ username, email }) => ({ username, email }))
    await auditUser(tx, caller, 'user.profile_changed', user.id, { before, after })
    if (user.email !== changed.email) await tell(tx, user.id, 'Your email address was changed', social.now())
    return { user: publicUser(changed) }
  })
}

export const ownSessions = async ({ db, now }: Social, { userId, sid }: Caller) => ({
  sessions: await listSessions(db.orm, userId, sid, now()),
})

export const endSession = ({ db, sessions, now }: Social, caller: Caller, id: string): Promise<void> =>
  db.orm.transaction(async (tx) => {
    if (!(await hasSession(tx, caller.userId, id, now())))
      throw new AppError('not_found', 'This session has ended already.')
    await sessions.end(id, tx)
    await auditUser(tx, caller, 'user.session_ended', caller.userId)
  })

export const endOtherSessions = ({ db, sessions }: Social, caller: Caller): Promise<void> =>
  db.orm.transaction(async (tx) => {
    await sessions.endOthers(caller.userId, caller.sid, tx)
    await auditUser(tx, caller, 'user.sessions_ended', caller.userId)
  })

/** Deletes the account in 14 days, stops its bots and ends its sessions now. Throws `last_admin`. */
export async function deleteAccount(social: Social, caller: Caller, password: string, prove: Prove) {
  await requireStrongest(social, caller, password, prove)
  const deletesAt = social.now() + GRACE_MS
  return changeOwn(social, caller, async (tx, user) => {
    await requireOtherAdmin(tx, user)
    await updateUser(tx, user.id, { deletesAtMs: deletesAt })
    await social.tradingData.stopBots(tx, user.id)
    await social.sessions.endAll(user.id, tx)
    await auditUser(tx, caller, 'user.deletion_asked', user.id)
    return { deletesAt }
  })
}

/** Tables with something of a user: their columns that are handed out, and the one that says whose a row is. */
const KEPT: Readonly<Record<string, readonly [table: string, columns: string, owner: string]>> = {
  tasks: [
    'social.tasks',
    'id, title, description, status, priority, tags, created_at_ms, updated_at_ms, deleted_at_ms',
    'author_id',
  ],
  votes: ['social.votes', 'task_id, vote_type, comment, created_at_ms, updated_at_ms', 'user_id'],
  notifications: ['platform.notifications', 'id, kind, title, text, link, bot, created_at_ms, read_at_ms', 'user_id'],
  notificationSettings: ['platform.notification_settings', 'choices', 'user_id'],
  notificationReceivers: ['platform.notification_receivers', 'channel, url, is_on', 'user_id'],
  activities: ['platform.activities', 'at, type, action, is_public, subject_id, subject_name, detail', 'actor_id'],
  // Without what was before and after: an admin's entries are about others.
  audit: ['platform.audit', 'at, address, action, subject_type, subject_id', 'actor_id'],
}

/** Everything that is kept of a user, without hashes and secrets. */
export async function exportAccount(social: Social, caller: Caller) {
  const { db, tradingData } = social
  const user = await accountOf(social, caller.userId)
  const kept: Record<string, unknown[]> = {}
  for (const [name, [table, columns, owner]] of Object.entries(KEPT))
    kept[name] = (await db.pool.query(`select ${columns} from ${table} where ${owner} = $1`, [user.id])).rows
  const file = {
    profile: { ...publicUser(user), createdAt: user.createdAtMs },
    ...(await ownSessions(social, caller)),
    ...kept,
    ...(await tradingData.export(db.orm, user.id)),
  }
  return { name: 'shapecast-data.json', content: JSON.stringify(file, null, 2) }
}

/** Mails the link that sets a new password. Its code stands behind the #, which no server gets to see. */
async function mailReset(social: Social, mail: MailOutlet, email: string, address: string): Promise<void> {
  const code = await mailedResetCode(social, email, address)
  if (code === null) return
  const link = `${mail.publicUrl}/reset#email=${encodeURIComponent(email)}&code=${code}`
  const text = `Somebody, from the address ${address}, asked to set a new password for this account. Within an hour, and once, this sets it:\n\n${link}\n\nNot you? Then do nothing: your password stays.`
  const letter = { id: newId(), to: email, subject: 'Set a new password for Shapecast', text }
  const { isTaken, words } = await sendMail(mail, letter)
  if (!isTaken) throw new Error(words)
}

/**
 * Mails a link that sets a new password. Everything that depends on whether there is such an account happens after
 * the answer, so that neither the answer nor its time tells.
 */
export async function forgotPassword(social: Social, email: string, address: string): Promise<void> {
  const { mail } = await social.outlets.read()
  if (mail === null)
    throw new AppError('unprocessable', 'This installation sends no mail. Ask an admin for a reset code.')
  await takeGuess(social, 'forgot', email, address)
  void mailReset(social, mail, email, address).catch((error: unknown) =>
    social.log.warn({ err: error }, 'a reset link could not be mailed'),
  )
}

/**
 * Sets a new password with a code, once, and ends every session. An admin's takes a lost second factor away; of one
 * that was mailed it stays.
 */
export async function resetPassword(social: Social, given: BodyOf<typeof resetCall>, address: string): Promise<void> {
  const { db, sessions, now } = social
  const { email, code, newPassword } = given
  await refuseCommonPassword(newPassword, 'newPassword')
  const row = await findUserByEmail(db.orm, email)
  const set = async (tx: Orm, passwordHash: string): Promise<boolean> => {
    // Of an address without an account the same is asked, so that the time tells nothing.
    const userId = row?.id ?? NOBODY
    const user = await holdUser(tx, userId, 'update')
    const way = await takeResetCode(social, tx, userId, code)
    if (user === undefined || way === null) return false
    // Only who has the code learns that the password is one of the account's names; the code stays good.
    await refuseCommonPassword(newPassword, 'newPassword', user)
    await updateUser(tx, userId, { passwordHash, passwordChangedAtMs: now() })
    if (way === 'admin') await removeSecondFactor(tx, userId)
    await sessions.endAll(userId, tx)
    await auditUser(tx, { userId, address }, 'user.password_reset', userId)
    await tell(tx, userId, 'Your password was set with a reset code', now())
    return true
  }
  await guess(
    social,
    { kind: 'reset', guessed: { id: row?.id ?? null, email }, address, action: 'user.reset_failed' },
    async () => {
      const passwordHash = await hashPassword(newPassword)
      return db.orm.transaction((tx) => set(tx, passwordHash))
    },
    wrongCode,
  )
}

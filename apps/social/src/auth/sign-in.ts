import type { AuthReply, Credentials, Registration, User } from '@shapecast/contracts/auth'
import type { BodyOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import type { changePassword as changePasswordCall } from '@shapecast/contracts/own-account'
import { recordActivity } from '@shapecast/platform/activities'
import type { Orm } from '@shapecast/platform/database/database'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import type { Caller } from '@shapecast/platform/sessions'
import type { z } from 'zod'
import type { Social } from '../ground/social.ts'
import { accountOf } from '../proof/confirmations.ts'
import { forgetGuesses, guess, noteWrongGuess, takeGuess, takeRegistration } from '../proof/guesses.ts'
import { hashPassword, passwordMatches } from '../proof/password-hash.ts'
import { hasSecondFactor, lacksSecondFactor, takeSecondFactor } from '../proof/second-factor.ts'
import { auditUser, tellOwner } from '../users/account-news.ts'
import { admit } from '../users/invitations.ts'
import { findUserByEmail, holdUser, insertUser, isFirst, publicUser, updateUser } from '../users/user-store.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { isNewDevice } from './session-list.ts'

/** From where somebody signs in. */
export interface Origin {
  readonly address: string
  readonly userAgent?: string | undefined
}

const wrongCredentials = () => new AppError('invalid_credentials', 'The email address or the password is wrong.')
const wrongCurrentPassword = () =>
  new AppError('bad_input', 'The current password is wrong.', { field: 'currentPassword' })

async function signIn({ sessions, now }: Social, tx: Orm, user: User, from: Origin): Promise<AuthReply> {
  const { id: userId, role } = user
  if (await isNewDevice(tx, userId, from.userAgent)) {
    const text = `From ${from.address}. Not you? End that session and change your password.`
    await tellOwner(tx, userId, { title: 'Sign-in on a new device', text }, now())
  }
  const isLimited = await lacksSecondFactor(tx, userId, role)
  const { accessToken } = await sessions.issue({ userId, role, ...from, isLimited }, tx)
  return { accessToken, user }
}

/** Makes an account and signs it in. Throws `too_many_requests`, `email_taken`, `username_taken`, `registration_code`, `registration_closed`. */
export async function register(
  social: Social,
  { username, email, password, invitation }: Omit<z.infer<typeof Registration>, 'code'>,
  from: Origin,
  mayBeFirst: boolean,
): Promise<AuthReply> {
  await refuseCommonPassword(password, 'password', { username, email })
  await takeRegistration(social, from.address)
  const passwordHash = await hashPassword(password)
  return social.db.orm.transaction(async (tx) => {
    if (!(await isFirst(tx))) await admit(social, tx, email, invitation)
    const user = publicUser(await insertUser(tx, { username, email, passwordHash }, social.now(), mayBeFirst))
    const { id, role } = user
    await auditUser(tx, { ...from, userId: id }, 'user.registered', id, { after: { username: user.username, role } })
    const subject = { id, name: user.username }
    await recordActivity(tx, { type: 'user', action: 'user.registered', actorId: id, subject })
    return signIn(social, tx, user, from)
  })
}

/** Asks for the second factor where the account has one. Throws `second_factor_required`, `wrong_code`. */
async function requireCode(social: Social, user: User, code: string | undefined, address: string): Promise<void> {
  if (!(await hasSecondFactor(social.db.orm, user.id))) return
  if (code === undefined || code === '')
    throw new AppError('second_factor_required', 'Enter the code of your authenticator app, or a recovery code.')
  await guess(
    social,
    { kind: 'code', guessed: user, address, action: 'user.second_factor_failed' },
    () => takeSecondFactor(social, user.id, code),
    () => new AppError('wrong_code', 'This code is wrong or was used already. Wait for the next one.'),
  )
}

/**
 * Signs in. A wrong email and a wrong password take the same path and time: `invalid_credentials`. Only the right
 * password learns that a code is needed, or that the account is disabled: `second_factor_required`,
 * `account_disabled`. An account that its owner is deleting is kept.
 */
export async function login(
  social: Social,
  { email, password, code }: z.infer<typeof Credentials>,
  from: Origin,
): Promise<AuthReply> {
  const { db, now } = social
  const { address } = from
  await takeGuess(social, 'sign_in', email, address)
  const row = await findUserByEmail(db.orm, email)
  const matches = await passwordMatches(row?.passwordHash, password)
  if (row === undefined || !matches) {
    await noteWrongGuess(social, { id: row?.id ?? null, email }, 'user.sign_in_failed', address)
    throw wrongCredentials()
  }
  await requireCode(social, publicUser(row), code, address)
  await forgetGuesses(social, 'sign_in', email, address)
  return db.orm.transaction(async (tx) => {
    // A change of the password or the role ends the sessions that there are: none may begin beside it on the old ones.
    const user = await holdUser(tx, row.id, row.deletesAtMs === null ? 'share' : 'update')
    if (user?.passwordHash !== row.passwordHash) throw wrongCredentials()
    if (user.disabledAt !== null)
      throw new AppError('account_disabled', 'This account was disabled. Ask an admin of this installation.')
    const doer = { userId: user.id, address }
    if (user.deletesAtMs !== null) {
      await updateUser(tx, user.id, { deletesAtMs: null })
      await auditUser(tx, doer, 'user.deletion_taken_back', user.id)
      const text = 'You came back in time, so nothing is deleted. Your bots stay stopped until you start them.'
      await tellOwner(tx, user.id, { title: 'Your account is kept', text, link: '/trading' }, now())
    }
    await auditUser(tx, doer, 'user.signed_in', user.id)
    return signIn(social, tx, publicUser(user), from)
  })
}

export const logout = ({ db, sessions }: Social, caller: Caller): Promise<void> =>
  db.orm.transaction(async (tx) => {
    await sessions.end(caller.sid, tx)
    await auditUser(tx, caller, 'user.signed_out', caller.userId)
  })

/**
 * Changes the password, and ends every session of the user but the caller's. A wrong current password is
 * `bad_input`, not 401: the session itself is good, and a 401 would sign the person out. Of an account with a second
 * factor the password alone is not proof enough: `prove` is asked too.
 */
export async function changePassword(
  social: Social,
  caller: Caller,
  { currentPassword, newPassword }: BodyOf<typeof changePasswordCall>,
  prove: Prove,
): Promise<void> {
  const { db, sessions, now } = social
  const { userId, sid, address } = caller
  const row = await accountOf(social, userId)
  await refuseCommonPassword(newPassword, 'newPassword', row)
  await guess(
    social,
    { kind: 'password', guessed: row, address, action: 'user.password_change_failed' },
    () => passwordMatches(row.passwordHash, currentPassword),
    wrongCurrentPassword,
  )
  if (await hasSecondFactor(db.orm, userId)) await prove()
  const passwordHash = await hashPassword(newPassword)
  await db.orm.transaction(async (tx) => {
    // Of two that change it at once, the second one gave a password that is the current one no more.
    const held = await holdUser(tx, userId, 'update')
    if (held?.passwordHash !== row.passwordHash) throw wrongCurrentPassword()
    await updateUser(tx, userId, { passwordHash, passwordChangedAtMs: now() })
    await sessions.endOthers(userId, sid, tx)
    await auditUser(tx, caller, 'user.password_changed', userId)
    const text = 'Your other sessions were ended. If this was not you, tell an admin of this installation.'
    await tellOwner(tx, userId, { title: 'Your password was changed', text }, now())
  })
}

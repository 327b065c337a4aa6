import type { AuthReply, Role, User } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import { recordActivity } from '@shapecast/platform/activities'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import { notify } from '@shapecast/platform/notify'
import type { Caller, Sessions } from '@shapecast/platform/sessions'
import {
  findUserByEmail,
  findUserById,
  holdUser,
  insertUser,
  isFirst,
  publicUser,
  updateUser,
} from '../users/user-store.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { gone } from './confirmations.ts'
import type { Guesses } from './guesses.ts'
import { hashPassword, passwordMatches } from './password-hash.ts'
import { isNewDevice } from './session-list.ts'

/** The codes of an authenticator app that an account may ask for beside its password. */
export interface SecondFactor {
  isOn(orm: Orm, userId: string): Promise<boolean>
  /** Takes a code once: whether it was good. */
  take(orm: Orm, userId: string, code: string): Promise<boolean>
  isRequired(orm: Orm, role: Role): Promise<boolean>
  /** Takes the second factor away from an account. */
  remove(tx: Orm, userId: string): Promise<void>
}

export interface SignInDeps {
  db: Database
  sessions: Sessions
  guesses: Guesses
  /** Throws `registration_closed` where this address may not register with this invitation. */
  admit(tx: Orm, email: string, invitation: string | undefined): Promise<void>
  secondFactor: SecondFactor
  now(): number
}

/** From where somebody signs in. */
export interface Origin {
  readonly address: string
  readonly userAgent?: string | undefined
}

const subjectOf = (id: string) => ({ type: 'user', id })
const wrongCredentials = () => new AppError('invalid_credentials', 'The email address or the password is wrong.')
const wrongCurrentPassword = () =>
  new AppError('bad_input', 'The current password is wrong.', { field: 'currentPassword' })

/** Registering and signing in. */
const entranceOf = ({ db, sessions, guesses, admit, secondFactor, now }: SignInDeps) => {
  const signIn = async (tx: Orm, user: User, { address, userAgent }: Origin): Promise<AuthReply> => {
    const { id: userId, role } = user
    const isLimited = (await secondFactor.isRequired(tx, role)) && !(await secondFactor.isOn(tx, userId))
    if (await isNewDevice(tx, userId, userAgent)) {
      const text = `From ${address}. Not you? End that session and change your password.`
      await notify(
        tx,
        userId,
        { kind: 'security', title: 'Sign-in on a new device', text, link: '/settings/security' },
        now(),
      )
    }
    const { accessToken } = await sessions.issue({ userId, role, address, userAgent, isLimited }, tx)
    return { accessToken, user }
  }

  /** Asks for the second factor where the account has one. Throws `second_factor_required`, `wrong_code`. */
  const requireCode = async (user: User, code: string | undefined, address: string): Promise<void> => {
    if (!(await secondFactor.isOn(db.orm, user.id))) return
    if (code === undefined || code === '')
      throw new AppError('second_factor_required', 'Enter the code of your authenticator app, or a recovery code.')
    await guesses.take('code', user.email, address)
    if (await secondFactor.take(db.orm, user.id, code)) return guesses.clear('code', user.email, address)
    await guesses.failed(user, 'user.second_factor_failed', address)
    throw new AppError('wrong_code', 'This code is wrong or was used already. Wait for the next one.')
  }
  return {
    /** Makes an account and signs it in. Throws `too_many_requests`, `email_taken`, `username_taken`, `registration_code`, `registration_closed`. */
    async register(
      draft: { username: string; email: string; password: string; invitation?: string | undefined },
      from: Origin,
      mayBeFirst: boolean,
    ): Promise<AuthReply> {
      await refuseCommonPassword(draft.password, 'password', draft)
      await guesses.register(from.address)
      const passwordHash = await hashPassword(draft.password)
      return db.orm.transaction(async (tx) => {
        if (!(await isFirst(tx))) await admit(tx, draft.email, draft.invitation)
        const made = publicUser(
          await insertUser(tx, { username: draft.username, email: draft.email, passwordHash }, now(), mayBeFirst),
        )
        await recordAudit(
          tx,
          { ...from, userId: made.id },
          {
            action: 'user.registered',
            subject: subjectOf(made.id),
            after: { username: made.username, role: made.role },
          },
        )
        await recordActivity(tx, {
          type: 'user',
          action: 'user.registered',
          actorId: made.id,
          subject: { id: made.id, name: made.username },
        })
        return signIn(tx, made, from)
      })
    },

    /**
     * Signs in. A wrong email and a wrong password take the same path and time: `invalid_credentials`. Only the right
     * password learns that a code is needed, or that the account is disabled: `second_factor_required`,
     * `account_disabled`. An account that its owner is deleting is kept.
     */
    async login(
      credentials: { email: string; password: string; code?: string | undefined },
      from: Origin,
    ): Promise<AuthReply> {
      const { email, password, code } = credentials
      const { address } = from
      await guesses.take('sign_in', email, address)
      const row = await findUserByEmail(db.orm, email)
      const matches = await passwordMatches(row?.passwordHash, password)
      if (row === undefined || !matches) {
        await guesses.failed({ id: row?.id ?? null, email }, 'user.sign_in_failed', address)
        throw wrongCredentials()
      }
      await requireCode(publicUser(row), code, address)
      await guesses.clear('sign_in', email, address)
      return db.orm.transaction(async (tx) => {
        // A change of the password or the role ends the sessions that there are: none may begin beside it on the old ones.
        const user = await holdUser(tx, row.id, row.deletesAtMs === null ? 'share' : 'update')
        if (user?.passwordHash !== row.passwordHash) throw wrongCredentials()
        if (user.disabledAt !== null)
          throw new AppError('account_disabled', 'This account was disabled. Ask an admin of this installation.')
        const [doer, subject] = [{ userId: user.id, address }, subjectOf(user.id)]
        if (user.deletesAtMs !== null) {
          await updateUser(tx, user.id, { deletesAtMs: null })
          await recordAudit(tx, doer, { action: 'user.deletion_taken_back', subject })
          const text = 'You came back in time, so nothing is deleted. Your bots stay stopped until you start them.'
          await notify(tx, user.id, { kind: 'security', title: 'Your account is kept', text, link: '/trading' }, now())
        }
        await recordAudit(tx, doer, { action: 'user.signed_in', subject })
        return signIn(tx, publicUser(user), from)
      })
    },
  }
}

/** Accounts: registering, signing in and out, passwords. */
export const createSignIn = (deps: SignInDeps) => {
  const { db, sessions, guesses, secondFactor, now } = deps

  return {
    ...entranceOf(deps),

    /** The user of a session. Throws `unauthorized` where the account is gone. */
    async profile(userId: string): Promise<User> {
      const row = await findUserById(db.orm, userId)
      if (row === undefined) throw gone()
      return publicUser(row)
    },

    async logout(caller: Caller): Promise<void> {
      await db.orm.transaction(async (tx) => {
        await sessions.end(caller.sid, tx)
        await recordAudit(tx, caller, { action: 'user.signed_out', subject: subjectOf(caller.userId) })
      })
    },

    /**
     * Changes the password, and ends every session of the user but the caller's. A wrong current password is
     * `bad_input`, not 401: the session itself is good, and a 401 would sign the person out. Of an account with a second
     * factor the password alone is not proof enough: `prove` is asked too.
     */
    async changePassword(
      caller: Caller,
      passwords: { currentPassword: string; newPassword: string },
      prove: Prove,
    ): Promise<void> {
      const { userId, sid, address } = caller
      const row = await findUserById(db.orm, userId)
      if (row === undefined) throw gone()
      await refuseCommonPassword(passwords.newPassword, 'newPassword', row)
      await guesses.take('password', row.email, address)
      if (!(await passwordMatches(row.passwordHash, passwords.currentPassword))) {
        await guesses.failed(row, 'user.password_change_failed', address)
        throw wrongCurrentPassword()
      }
      await guesses.clear('password', row.email, address)
      if (await secondFactor.isOn(db.orm, userId)) await prove()
      const passwordHash = await hashPassword(passwords.newPassword)
      await db.orm.transaction(async (tx) => {
        // Of two that change it at once, the second one gave a password that is the current one no more.
        const held = await holdUser(tx, userId, 'update')
        if (held?.passwordHash !== row.passwordHash) throw wrongCurrentPassword()
        await updateUser(tx, userId, { passwordHash, passwordChangedAtMs: now() })
        await sessions.endOthers(userId, sid, tx)
        await recordAudit(tx, caller, { action: 'user.password_changed', subject: subjectOf(userId) })
        const text = 'Your other sessions were ended. If this was not you, tell an admin of this installation.'
        await notify(
          tx,
          userId,
          { kind: 'security', title: 'Your password was changed', text, link: '/settings/security' },
          now(),
        )
      })
    },
  }
}

export type SignIn = ReturnType<typeof createSignIn>

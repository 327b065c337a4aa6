import { AppError } from '@shapecast/contracts/errors'
import type { Database } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import { findUserById } from '../users/user-store.ts'
import type { UserRow } from '../users/users-table.ts'
import type { GuessKind } from './attempts.ts'
import type { Guesses } from './guesses.ts'
import { passwordMatches } from './password-hash.ts'

export const gone = () => new AppError('unauthorized', 'This account no longer exists. Sign in again.')
export const wrongCode = () => new AppError('wrong_code', 'This code is wrong, was used already or has run out.')

/** What signed-in people prove with their password and codes. Guesses count by account. */
export const createConfirmations = ({ db, guesses }: { db: Database; guesses: Guesses }) => {
  /** Throws `unauthorized` for an account that no longer exists. */
  async function account(userId: string): Promise<UserRow> {
    const row = await findUserById(db.orm, userId)
    if (row === undefined) throw gone()
    return row
  }

  async function guess(
    kind: GuessKind,
    { userId, address }: Member,
    check: (row: UserRow) => Promise<boolean>,
    refusal: () => AppError,
  ): Promise<void> {
    const row = await account(userId)
    await guesses.take(kind, row.email, address)
    if (!(await check(row))) {
      await guesses.failed(row, 'user.confirmation_failed', address)
      throw refusal()
    }
    await guesses.clear(kind, row.email, address)
  }

  return {
    account,

    /** Throws `bad_input` for a wrong password: the session is good, and a 401 would sign the person out. */
    requirePassword(asker: Member, password: string, field = 'password'): Promise<void> {
      const wrong = () => new AppError('bad_input', 'The password is wrong.', { field })
      return guess('password', asker, (row) => passwordMatches(row.passwordHash, password), wrong)
    },

    /** Counts a guess at a code, of the device in use or of a new one. Throws `wrong_code`, `too_many_requests`. */
    requireCode: (kind: 'code' | 'new_code', asker: Member, check: () => Promise<boolean>): Promise<void> =>
      guess(kind, asker, check, wrongCode),
  }
}
export type Confirmations = ReturnType<typeof createConfirmations>

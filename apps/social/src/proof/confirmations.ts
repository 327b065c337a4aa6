import { AppError } from '@shapecast/contracts/errors'
import type { Member } from '@shapecast/platform/sessions'
import type { Social } from '../ground/social.ts'
import { findUserById } from '../users/user-store.ts'
import type { UserRow } from '../users/users-table.ts'
import { type GuessGround, type GuessKind, guess } from './guesses.ts'
import { passwordMatches } from './password-hash.ts'

export const gone = () => new AppError('unauthorized', 'This account no longer exists. Sign in again.')
export const wrongCode = () => new AppError('wrong_code', 'This code is wrong, was used already or has run out.')

/** Throws `unauthorized` for an account that no longer exists. */
export async function accountOf({ db }: Pick<Social, 'db'>, userId: string): Promise<UserRow> {
  const row = await findUserById(db.orm, userId)
  if (row === undefined) throw gone()
  return row
}

/** What a signed-in person proves with a password or a code. Guesses count by account. */
async function confirm(
  ground: GuessGround,
  kind: GuessKind,
  { userId, address }: Member,
  check: (row: UserRow) => Promise<boolean>,
  refusal: () => AppError,
): Promise<void> {
  const row = await accountOf(ground, userId)
  const action = 'user.confirmation_failed'
  await guess(ground, { kind, guessed: row, address, action }, () => check(row), refusal)
}

/** Throws `bad_input` for a wrong password: the session is good, and a 401 would sign the person out. */
export const requirePassword = (ground: GuessGround, asker: Member, password: string, field = 'password') =>
  confirm(
    ground,
    'password',
    asker,
    (row) => passwordMatches(row.passwordHash, password),
    () => new AppError('bad_input', 'The password is wrong.', { field }),
  )

/** Counts a guess at a code, of the device in use or of a new one. Throws `wrong_code`, `too_many_requests`. */
export const requireCode = (
  ground: GuessGround,
  kind: 'code' | 'new_code',
  asker: Member,
  check: () => Promise<boolean>,
): Promise<void> => confirm(ground, kind, asker, check, wrongCode)

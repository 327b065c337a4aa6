import { AppError } from '@shapecast/contracts/errors'
import { recordAudit } from '@shapecast/platform/audit'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { callerOf } from '@shapecast/platform/http/rate-limit'
import { and, asc, eq, gt, inArray, lte, or } from 'drizzle-orm'
import type { Social } from '../ground/social.ts'
import { passwordAttempts } from './tables.ts'

const WINDOW_MS = 15 * 60_000
const MOST_FAILURES = 10
/** Of one address at all accounts: an office of many people that mistype has room, a list of stolen passwords has not. */
const MOST_FAILURES_OF_AN_ADDRESS = 30
/** Accounts of one address: a class of thirty registers at once, a program that fills the table does not. */
const MOST_REGISTRATIONS = 30
/** What docs/operations.md tells fail2ban to look for. */
const SIGN_IN_FAILED = 'sign-in failed'

type Attempt = Pick<typeof passwordAttempts.$inferSelect, 'kind' | 'email' | 'address' | 'atMs'>
/** What is guessed: the password of a sign-in, a reset code, the password or a code of a session, a code of a new device. */
export type GuessKind = Exclude<Attempt['kind'], 'registration'>
/** Whose password or code is guessed at; without an id where no account has the address. */
export type Guessed = { readonly id: string | null; readonly email: string }
export type GuessGround = Pick<Social, 'db' | 'log' | 'now'>

const REFUSALS: Readonly<Record<GuessKind, string>> = {
  sign_in: 'Too many wrong passwords.',
  password: 'Too many wrong passwords.',
  reset: 'Too many wrong codes.',
  code: 'Too many wrong codes.',
  new_code: 'Too many wrong codes.',
  forgot: 'Too many messages were asked for.',
  email_link: 'Too many messages were asked for.',
}

/**
 * Anybody may try these, so they count by account and address: by account alone, a stranger could lock everybody out.
 * All others take a password or a session first, and count by account, from wherever they come.
 */
const countsByAddress = (kind: Attempt['kind']): boolean =>
  ['sign_in', 'reset', 'registration', 'forgot'].includes(kind)

/**
 * Writes an attempt down in the database, so that every process knows it, before the guess is looked at: guesses sent at
 * once cannot slip past the count. Throws `too_many_requests` with the seconds until `oldest` of the recent ones is none.
 */
const writeDown = (
  { db, now }: Pick<Social, 'db' | 'now'>,
  { kind, email, address }: Omit<Attempt, 'atMs'>,
  oldest: (recent: readonly Attempt[]) => Attempt | undefined,
  refusal: string,
): Promise<void> =>
  db.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, `attempts from ${address}`)
    if (!countsByAddress(kind)) await lockUntilCommit(tx, `attempts at ${email}`)
    const nowMs = now()
    const stale = tx
      .select({ id: passwordAttempts.id })
      .from(passwordAttempts)
      .where(lte(passwordAttempts.atMs, nowMs - WINDOW_MS))
      .limit(100)
      .for('update', { skipLocked: true })
    await tx.delete(passwordAttempts).where(inArray(passwordAttempts.id, stale))
    const ofAccount = countsByAddress(kind)
      ? undefined
      : and(eq(passwordAttempts.email, email), eq(passwordAttempts.kind, kind))
    const recent = await tx
      .select()
      .from(passwordAttempts)
      .where(and(or(eq(passwordAttempts.address, address), ofAccount), gt(passwordAttempts.atMs, nowMs - WINDOW_MS)))
      .orderBy(asc(passwordAttempts.atMs))
    const last = oldest(recent)
    if (last !== undefined) {
      const retryAfterS = Math.max(1, Math.ceil((last.atMs + WINDOW_MS - nowMs) / 1000))
      throw new AppError('too_many_requests', `${refusal} Try again in ${Math.ceil(retryAfterS / 60)} minutes.`, {
        retryAfterS,
      })
    }
    await tx.insert(passwordAttempts).values({ kind, email, address, atMs: nowMs })
  })

/**
 * Takes one of the 10 attempts of 15 minutes of a kind at an account, and one of the address's 30 at all of them; the log
 * is told if there is none left. Throws `too_many_requests`. The same work is done whether the account exists or not. An
 * address of IPv6 is its /64: who has one address has them all.
 */
export async function takeGuess(ground: GuessGround, kind: GuessKind, email: string, from: string): Promise<void> {
  const address = callerOf(from)
  const isSame = (attempt: Attempt) =>
    attempt.email === email && attempt.kind === kind && (!countsByAddress(kind) || attempt.address === address)
  const oldest = (recent: readonly Attempt[]) =>
    recent.filter(isSame).at(-MOST_FAILURES) ??
    recent.filter((attempt) => attempt.address === address).at(-MOST_FAILURES_OF_AN_ADDRESS)
  await writeDown(ground, { kind, email, address }, oldest, REFUSALS[kind]).catch((error: unknown) => {
    if (error instanceof AppError) ground.log.warn({ address: from, code: error.code }, SIGN_IN_FAILED)
    throw error
  })
}

/** Takes one of the 30 registrations of an address in 15 minutes. Throws `too_many_requests`. */
export const takeRegistration = (ground: Pick<Social, 'db' | 'now'>, from: string): Promise<void> =>
  writeDown(
    ground,
    { kind: 'registration', email: '', address: `registering ${callerOf(from)}` },
    (recent) => recent.at(-MOST_REGISTRATIONS),
    'Too many accounts were made from your address.',
  )

/** Forgets the failures of a kind at an account: the right guess came. */
export async function forgetGuesses({ db }: Pick<Social, 'db'>, kind: GuessKind, email: string, from: string) {
  const ofAddress = countsByAddress(kind) ? eq(passwordAttempts.address, callerOf(from)) : undefined
  await db.orm
    .delete(passwordAttempts)
    .where(and(eq(passwordAttempts.email, email), eq(passwordAttempts.kind, kind), ofAddress))
}

/** Writes a wrong guess down where an administrator, and a program that reads the log, finds it. */
export async function noteWrongGuess({ db, log }: GuessGround, guessed: Guessed, action: string, address: string) {
  const { id: userId, email } = guessed
  log.warn({ address, userId }, SIGN_IN_FAILED)
  const subject = userId === null ? { type: 'email', id: email } : { type: 'user', id: userId }
  await recordAudit(db.orm, { userId: null, address }, { action, subject })
}

/** One guess at what `check` knows: counted, written down as `action` where it was wrong, which throws the `refusal`. */
export async function guess(
  ground: GuessGround,
  { kind, guessed, address, action }: { kind: GuessKind; guessed: Guessed; address: string; action: string },
  check: () => Promise<boolean>,
  refusal: () => AppError,
): Promise<void> {
  await takeGuess(ground, kind, guessed.email, address)
  if (!(await check())) {
    await noteWrongGuess(ground, guessed, action, address)
    throw refusal()
  }
  await forgetGuesses(ground, kind, guessed.email, address)
}

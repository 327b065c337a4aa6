import { AppError } from '@shapecast/contracts/errors'
import { callerOf } from '@shapecast/platform/http/rate-limit'
import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { passwordAttempts } from './tables.ts'

const WINDOW_MS = 15 * 60_000
const MOST_FAILURES = 10
/** Of one address at all accounts: an office of many people that mistype has room, a list of stolen passwords has not. */
const MOST_FAILURES_OF_AN_ADDRESS = 30

/** Accounts of one address: a class of thirty registers at once, a program that fills the table does not. */
const MOST_REGISTRATIONS = 30

/**
 * Counts failed passwords per account and address (of IPv6 its /64: who has one address has them all), and registrations
 * per address, in the database, so that every process knows them.
 * An attempt is written down before the password is looked at: guesses sent at once cannot slip past the count.
 */
export const createAttempts = (db: NodePgDatabase, now: () => number) => {
  /** Writes an attempt down. Throws `too_many_requests` with the seconds until `oldest` of the recent ones is none. */
  const write = (
    { email, address }: { email: string; address: string },
    oldest: (recent: readonly { email: string; atMs: number }[]) => { atMs: number } | undefined,
    refusal: string,
  ): Promise<void> =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${address}, 1))`)
      const nowMs = now()
      const stale = tx
        .select({ id: passwordAttempts.id })
        .from(passwordAttempts)
        .where(lte(passwordAttempts.atMs, nowMs - WINDOW_MS))
        .limit(100)
        .for('update', { skipLocked: true })
      await tx.delete(passwordAttempts).where(inArray(passwordAttempts.id, stale))
      const recent = await tx
        .select({ email: passwordAttempts.email, atMs: passwordAttempts.atMs })
        .from(passwordAttempts)
        .where(and(eq(passwordAttempts.address, address), gt(passwordAttempts.atMs, nowMs - WINDOW_MS)))
        .orderBy(asc(passwordAttempts.atMs))
      const last = oldest(recent)
      if (last !== undefined) {
        const retryAfterS = Math.max(1, Math.ceil((last.atMs + WINDOW_MS - nowMs) / 1000))
        throw new AppError('too_many_requests', `${refusal} Try again in ${Math.ceil(retryAfterS / 60)} minutes.`, {
          retryAfterS,
        })
      }
      await tx.insert(passwordAttempts).values({ email, address, atMs: nowMs })
    })

  return {
    /**
     * Takes one of the 10 attempts of 15 minutes at an account, and one of the address's 30 at all of them. Throws
     * `too_many_requests`. The same work is done whether the account exists or not.
     */
    take: (email: string, from: string): Promise<void> =>
      write(
        { email, address: callerOf(from) },
        (recent) =>
          recent.filter((attempt) => attempt.email === email).at(-MOST_FAILURES) ??
          recent.at(-MOST_FAILURES_OF_AN_ADDRESS),
        'Too many wrong passwords.',
      ),

    /** Takes one of the 30 registrations of an address in 15 minutes. Throws `too_many_requests`. */
    register: (from: string): Promise<void> =>
      write(
        { email: '', address: `registering ${callerOf(from)}` },
        (recent) => recent.at(-MOST_REGISTRATIONS),
        'Too many accounts were made from your address.',
      ),

    /** Forgets the failures of an account and address: the right password came. */
    clear: async (email: string, from: string): Promise<void> => {
      await db
        .delete(passwordAttempts)
        .where(and(eq(passwordAttempts.email, email), eq(passwordAttempts.address, callerOf(from))))
    },
  }
}
export type Attempts = ReturnType<typeof createAttempts>

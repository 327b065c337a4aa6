import { AppError } from '@shapecast/contracts/errors'
import { eq } from 'drizzle-orm'
import type { Orm } from './database/database.ts'
import { sessions } from './tables.ts'

/** How long a second factor, or a password, that was given once more is good for. To sign in is not to give it once more. */
export const CONFIRMED_MS = 5 * 60_000

/** Opens a limited session to all that its role may do. */
export async function liftSession(orm: Orm, sid: string): Promise<void> {
  await orm.update(sessions).set({ isLimited: false }).where(eq(sessions.id, sid))
}

/** Opens every limited session: nothing is required of their roles any more. */
export async function liftAllSessions(orm: Orm): Promise<void> {
  await orm.update(sessions).set({ isLimited: false }).where(eq(sessions.isLimited, true))
}

/** Writes down that the person of a session has just given the second factor, or the password, once more. */
export async function confirmSession(orm: Orm, sid: string, nowMs: number): Promise<number> {
  await orm
    .update(sessions)
    .set({ confirmedAt: new Date(nowMs) })
    .where(eq(sessions.id, sid))
  return nowMs + CONFIRMED_MS
}

/**
 * Throws `confirmation_required` unless the person of a session has given the second factor, or the password of an
 * account without one, within the last five minutes (POST /soc/api/auth/confirm).
 */
export async function requireConfirmed(orm: Orm, sid: string, nowMs: number): Promise<void> {
  const [row] = await orm.select({ at: sessions.confirmedAt }).from(sessions).where(eq(sessions.id, sid))
  if (row?.at && nowMs - row.at.getTime() < CONFIRMED_MS) return
  throw new AppError('confirmation_required', 'Confirm first that it is you: give your code, or your password.')
}

import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, inArray, isNull, max } from 'drizzle-orm'
import { oneAtATime } from '../ground/one-at-a-time.ts'
import { trainings } from './tables.ts'

/**
 * The turn of a user's next training. Trainings are taken by turn, the oldest first within one: each user has one a turn,
 * and who comes later joins at the turn that is being worked on, so that twenty trainings of one user hold up nobody and
 * nobody waits for ever (start-time fair queueing: Goyal, Vin and Cheng, IEEE/ACM Transactions on Networking 5, 1997). A user
 * is held until the transaction ends: of two that are asked for at once each has a turn of its own.
 */
export async function nextTurn(tx: Orm, userId: string | null): Promise<number> {
  await oneAtATime(tx, `trainings of ${userId}`)
  const [started] = await tx
    .select({ turn: max(trainings.turn) })
    .from(trainings)
    .where(inArray(trainings.status, ['running', 'completed', 'failed']))
  const [own] = await tx
    .select({ turn: max(trainings.turn) })
    .from(trainings)
    .where(
      and(
        userId === null ? isNull(trainings.userId) : eq(trainings.userId, userId),
        inArray(trainings.status, ['queued', 'running']),
      ),
    )
  return Math.max(started?.turn ?? 0, own?.turn === null || own?.turn === undefined ? 0 : own.turn + 1)
}

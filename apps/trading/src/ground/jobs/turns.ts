import type { JobKind } from '@shapecast/contracts/job-status'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, inArray, isNull, max } from 'drizzle-orm'
import { jobs } from './tables.ts'

/**
 * The turn of a user's next job of a kind. Jobs are taken by turn, the oldest first within one: each user has one a turn,
 * and a user who comes later joins at the turn that is being worked on, so that twenty trainings of one user hold up nobody
 * and nobody waits for ever (start-time fair queueing: Goyal, Vin and Cheng, IEEE/ACM Transactions on Networking 5, 1997).
 * The caller holds the user.
 */
export async function nextTurn(tx: Orm, kind: JobKind, userId: string | null): Promise<number> {
  const turn = async (condition: ReturnType<typeof and>) => {
    const [row] = await tx
      .select({ turn: max(jobs.turn) })
      .from(jobs)
      .where(and(eq(jobs.kind, kind), condition))
    return row?.turn ?? null
  }
  const started = await turn(inArray(jobs.status, ['running', 'completed', 'failed']))
  const own = await turn(
    and(userId === null ? isNull(jobs.userId) : eq(jobs.userId, userId), inArray(jobs.status, ['queued', 'running'])),
  )
  return Math.max(started ?? 0, own === null ? 0 : own + 1)
}

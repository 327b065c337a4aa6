import type { VoteType } from '@shapecast/contracts/tasks'
import type { Vote } from '@shapecast/contracts/votes'
import type { Orm } from '@shapecast/platform/database/database'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { userNames } from '../users/user-names.ts'
import { votes } from './tables.ts'

const select = (orm: Orm) =>
  orm
    .select({
      voteType: votes.voteType,
      comment: votes.comment,
      user: userNames,
      createdAt: votes.createdAtMs,
      updatedAt: votes.updatedAtMs,
    })
    .from(votes)
    .innerJoin(userNames, eq(userNames.id, votes.userId))

const of = (taskId: string, userId: string) => and(eq(votes.taskId, taskId), eq(votes.userId, userId))

/** Votes of a task, those with a comment first, the newest first. */
export const listVotes = (orm: Orm, taskId: string, page: number, limit: number): Promise<Vote[]> =>
  select(orm)
    .where(eq(votes.taskId, taskId))
    .orderBy(sql`${votes.comment} = ''`, desc(votes.updatedAtMs), desc(votes.userId))
    .limit(limit)
    .offset((page - 1) * limit)

export const countComments = (orm: Orm, taskId: string): Promise<number> =>
  orm.$count(votes, and(eq(votes.taskId, taskId), ne(votes.comment, '')))

export async function findVote(orm: Orm, taskId: string, userId: string): Promise<Vote | null> {
  const [vote] = await select(orm).where(of(taskId, userId))
  return vote ?? null
}

/** Casts or changes the one vote that a user has on a task. */
export async function storeVote(
  tx: Orm,
  vote: { taskId: string; userId: string; voteType: VoteType; comment: string },
  nowMs: number,
): Promise<void> {
  const { voteType, comment } = vote
  await tx
    .insert(votes)
    .values({ ...vote, createdAtMs: nowMs, updatedAtMs: nowMs })
    .onConflictDoUpdate({ target: [votes.taskId, votes.userId], set: { voteType, comment, updatedAtMs: nowMs } })
}

/** Whether there was a vote to delete. */
export async function deleteVote(tx: Orm, taskId: string, userId: string): Promise<boolean> {
  return (await tx.delete(votes).where(of(taskId, userId)).returning({ taskId: votes.taskId })).length > 0
}

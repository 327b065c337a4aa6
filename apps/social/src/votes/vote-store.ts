import type { VoteType } from '@shapecast/contracts/tasks'
import type { Vote } from '@shapecast/contracts/votes'
import type { Orm } from '@shapecast/platform/database/database'
import { and, count, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { userNames } from '../users/user-names.ts'
import { votes } from './tables.ts'

const select = (orm: Orm) =>
  orm
    .select({ vote: votes, username: userNames.username })
    .from(votes)
    .innerJoin(userNames, eq(userNames.id, votes.userId))

const shown = ({ vote, username }: { vote: typeof votes.$inferSelect; username: string }): Vote => ({
  voteType: vote.voteType,
  comment: vote.comment,
  user: { id: vote.userId, username },
  createdAt: vote.createdAtMs,
  updatedAt: vote.updatedAtMs,
})

const of = (taskId: string, userId: string) => and(eq(votes.taskId, taskId), eq(votes.userId, userId))

/** Votes of a task, those with a comment first, the newest first. */
export async function listVotes(orm: Orm, taskId: string, page: number, limit: number): Promise<Vote[]> {
  const rows = await select(orm)
    .where(eq(votes.taskId, taskId))
    .orderBy(sql`${votes.comment} = ''`, desc(votes.updatedAtMs), desc(votes.userId))
    .limit(limit)
    .offset((page - 1) * limit)
  return rows.map(shown)
}

export async function countComments(orm: Orm, taskId: string): Promise<number> {
  const [row] = await orm
    .select({ comments: count() })
    .from(votes)
    .where(and(eq(votes.taskId, taskId), ne(votes.comment, '')))
  return row!.comments
}

export async function findVote(orm: Orm, taskId: string, userId: string): Promise<Vote | null> {
  const [row] = await select(orm).where(of(taskId, userId))
  return row === undefined ? null : shown(row)
}

/** A user's votes on these tasks, by the task's id. */
export async function votesOf(orm: Orm, userId: string, taskIds: readonly string[]): Promise<Map<string, VoteType>> {
  if (taskIds.length === 0) return new Map()
  const rows = await orm
    .select({ taskId: votes.taskId, voteType: votes.voteType })
    .from(votes)
    .where(and(eq(votes.userId, userId), inArray(votes.taskId, [...taskIds])))
  return new Map(rows.map(({ taskId, voteType }) => [taskId, voteType]))
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

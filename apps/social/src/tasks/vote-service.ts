import type { BodyOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { isVotingOpen, type VoteType } from '@shapecast/contracts/tasks'
import type { castVote as castVoteCall, Vote } from '@shapecast/contracts/votes'
import { recordActivity } from '@shapecast/platform/activities'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { notify, type Tell } from '@shapecast/platform/notify'
import type { Member } from '@shapecast/platform/sessions'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Social } from '../ground/social.ts'
import { userNames } from '../users/user-names.ts'
import { votes } from './tables.ts'
import { requireTask, type TaskRow } from './task-store.ts'

// Voting on tasks. The counts are the database's: a trigger keeps them with the votes.

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
const listVotes = (orm: Orm, taskId: string, page: number, limit: number): Promise<Vote[]> =>
  select(orm)
    .where(eq(votes.taskId, taskId))
    .orderBy(sql`${votes.comment} = ''`, desc(votes.updatedAtMs), desc(votes.userId))
    .limit(limit)
    .offset((page - 1) * limit)

async function findVote(orm: Orm, taskId: string, userId: string): Promise<Vote | null> {
  const [vote] = await select(orm).where(of(taskId, userId))
  return vote ?? null
}

/** Casts or changes the one vote that a user has on a task. */
async function storeVote(
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

type Ground = Pick<Social, 'db' | 'now'>
type Counts = { for: number; against: number }

const countsOf = ({ votesFor, votesAgainst }: TaskRow): Counts => ({ for: votesFor, against: votesAgainst })

function requireOpen({ status }: TaskRow): void {
  if (!isVotingOpen(status)) throw new AppError('voting_closed', 'Voting on this task is closed.')
}

/** What the author of a task is told: each comment, and that there are new votes. */
const newsOf = ({ id, title }: TaskRow, what: Vote | Counts): Tell => ({
  kind: 'task',
  link: `/settings/tasks?task=${id}`,
  ...('comment' in what
    ? { title: `${what.user.username} commented on “${title}”`, text: `Voted ${what.voteType}: ${what.comment}` }
    : { title: `New votes on “${title}”`, text: `${what.for} for, ${what.against} against.`, onceUnread: true }),
})

/** Casts or changes a vote; the same vote again changes nothing. Throws `voting_closed` where the task takes none. */
export const castVote = ({ db, now }: Ground, taskId: string, ballot: BodyOf<typeof castVoteCall>, voter: Member) =>
  db.orm.transaction(async (tx) => {
    const { userId } = voter
    const task = await requireTask(tx, taskId, { hold: true })
    requireOpen(task)
    const known = await findVote(tx, taskId, userId)
    const before = known && { voteType: known.voteType, comment: known.comment }
    if (known !== null && known.voteType === ballot.voteType && known.comment === ballot.comment)
      return { taskVotes: countsOf(task), vote: known }
    await storeVote(tx, { taskId, userId, ...ballot }, now())
    const subject = { type: 'task', id: taskId }
    await recordAudit(tx, voter, { action: 'vote.cast', subject, before, after: ballot })
    if (before?.voteType !== ballot.voteType)
      await recordActivity(tx, {
        type: 'task',
        action: 'vote.cast',
        actorId: userId,
        subject: { id: taskId, name: task.title },
        detail: ballot.voteType,
      })
    const taskVotes = countsOf(await requireTask(tx, taskId))
    const vote = (await findVote(tx, taskId, userId))!
    const hasNewComment = ballot.comment !== '' && ballot.comment !== before?.comment
    if (task.authorId !== null && task.authorId !== userId)
      await notify(tx, task.authorId, newsOf(task, hasNewComment ? vote : taskVotes), now())
    return { taskVotes, vote }
  })

/** Takes a vote back; nothing happens if there is none. Throws `voting_closed`. */
export const withdrawVote = ({ db }: Ground, taskId: string, voter: Member): Promise<{ taskVotes: Counts }> =>
  db.orm.transaction(async (tx) => {
    requireOpen(await requireTask(tx, taskId, { hold: true }))
    const deleted = await tx.delete(votes).where(of(taskId, voter.userId)).returning({ taskId: votes.taskId })
    if (deleted.length > 0)
      await recordAudit(tx, voter, { action: 'vote.withdrawn', subject: { type: 'task', id: taskId } })
    return { taskVotes: countsOf(await requireTask(tx, taskId)) }
  })

export async function readVotes(
  { db: { orm } }: Ground,
  taskId: string,
  { page, limit }: Record<'page' | 'limit', number>,
) {
  const taskVotes = countsOf(await requireTask(orm, taskId))
  const comments = await orm.$count(votes, and(eq(votes.taskId, taskId), ne(votes.comment, '')))
  return { taskVotes, votes: await listVotes(orm, taskId, page, limit), comments }
}

export async function ownVote({ db: { orm } }: Ground, taskId: string, userId: string): Promise<{ vote: Vote | null }> {
  await requireTask(orm, taskId)
  return { vote: await findVote(orm, taskId, userId) }
}

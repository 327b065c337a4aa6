import { AppError } from '@shapecast/contracts/errors'
import { isVotingOpen, type TaskStatus, type VoteType } from '@shapecast/contracts/tasks'
import type { Vote } from '@shapecast/contracts/votes'
import { recordActivity } from '@shapecast/platform/activities'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { notify, type Tell } from '@shapecast/platform/notify'
import type { Member } from '@shapecast/platform/sessions'
import { countComments, deleteVote, findVote, listVotes, storeVote } from './vote-store.ts'

export interface VotedTask {
  readonly title: string
  /** Null where the account was deleted. */
  readonly authorId: string | null
  readonly status: TaskStatus
  readonly votesFor: number
  readonly votesAgainst: number
}

export interface VoteServiceDeps {
  db: Database
  /** A task that is there, held until the transaction ends where `hold` is set. Throws `not_found`. */
  readTask(orm: Orm, id: string, options?: { hold: true }): Promise<VotedTask>
  now(): number
}

type Counts = { for: number; against: number }

const countsOf = ({ votesFor, votesAgainst }: VotedTask): Counts => ({ for: votesFor, against: votesAgainst })

function requireOpen({ status }: VotedTask): void {
  if (!isVotingOpen(status)) throw new AppError('voting_closed', 'Voting on this task is closed.')
}

/** What the author of a task is told: each comment, and that there are new votes. */
const newsOf = (taskId: string, { title }: VotedTask, what: Vote | Counts): Tell => ({
  kind: 'task',
  link: `/settings/tasks?task=${taskId}`,
  ...('comment' in what
    ? { title: `${what.user.username} commented on “${title}”`, text: `Voted ${what.voteType}: ${what.comment}` }
    : { title: `New votes on “${title}”`, text: `${what.for} for, ${what.against} against.`, onceUnread: true }),
})

/** Voting on tasks. The counts are the database's: a trigger keeps them with the votes. */
export const createVoteService = ({ db, readTask, now }: VoteServiceDeps) => ({
  /** Casts or changes a vote; the same vote again changes nothing. Throws `voting_closed` where the task takes none. */
  cast: (
    taskId: string,
    ballot: { voteType: VoteType; comment: string },
    voter: Member,
  ): Promise<{ taskVotes: Counts; vote: Vote }> =>
    db.orm.transaction(async (tx) => {
      const { userId } = voter
      const task = await readTask(tx, taskId, { hold: true })
      requireOpen(task)
      const before = await findVote(tx, taskId, userId)
      if (before?.voteType === ballot.voteType && before.comment === ballot.comment)
        return { taskVotes: countsOf(task), vote: before }
      await storeVote(tx, { taskId, userId, ...ballot }, now())
      await recordAudit(tx, voter, {
        action: 'vote.cast',
        subject: { type: 'task', id: taskId },
        ...(before !== null && { before: { voteType: before.voteType, comment: before.comment } }),
        after: ballot,
      })
      if (before?.voteType !== ballot.voteType)
        await recordActivity(tx, {
          type: 'task',
          action: 'vote.cast',
          actorId: userId,
          subject: { id: taskId, name: task.title },
          detail: ballot.voteType,
        })
      const taskVotes = countsOf(await readTask(tx, taskId))
      const vote = (await findVote(tx, taskId, userId))!
      const hasNewComment = ballot.comment !== '' && ballot.comment !== before?.comment
      if (task.authorId !== null && task.authorId !== userId)
        await notify(tx, task.authorId, newsOf(taskId, task, hasNewComment ? vote : taskVotes), now())
      return { taskVotes, vote }
    }),

  /** Takes a vote back; nothing happens if there is none. Throws `voting_closed`. */
  withdraw: (taskId: string, voter: Member): Promise<Counts> =>
    db.orm.transaction(async (tx) => {
      requireOpen(await readTask(tx, taskId, { hold: true }))
      if (await deleteVote(tx, taskId, voter.userId))
        await recordAudit(tx, voter, {
          action: 'vote.withdrawn',
          subject: { type: 'task', id: taskId },
        })
      return countsOf(await readTask(tx, taskId))
    }),

  async list(taskId: string, { page, limit }: { page: number; limit: number }) {
    const taskVotes = countsOf(await readTask(db.orm, taskId))
    const comments = await countComments(db.orm, taskId)
    return { taskVotes, votes: await listVotes(db.orm, taskId, page, limit), comments }
  },

  async own(taskId: string, userId: string): Promise<Vote | null> {
    await readTask(db.orm, taskId)
    return findVote(db.orm, taskId, userId)
  },
})
export type VoteService = ReturnType<typeof createVoteService>

import { z } from 'zod'
import { socialEndpoint } from './endpoint.ts'
import { PlainText } from './storable-text.ts'
import { Page, task, tasks, VoteType } from './tasks.ts'
import { epochMs } from './units.ts'
import { UserName } from './user-name.ts'

export const Ballot = z.object({
  voteType: VoteType,
  comment: PlainText.max(1_000, 'A comment has at most 1,000 characters').default(''),
})

export const Vote = z.object({
  voteType: VoteType,
  /** Empty where none was given. */
  comment: z.string(),
  user: UserName,
  createdAt: epochMs(),
  updatedAt: epochMs(),
})
export type Vote = z.infer<typeof Vote>

const TaskVotes = z.object({ for: z.number().int(), against: z.number().int() })
const OfTask = z.object({ taskId: z.uuid() })

export const taskVotes = socialEndpoint('GET /api/votes/:taskId', {
  summary: 'The votes of a task with their comments, by page: votes with a comment first, then the newest.',
  params: OfTask,
  query: z.object({ page: Page, limit: z.coerce.number().int().min(1).max(1_000).default(100) }),
  reply: z.object({ taskVotes: TaskVotes, votes: z.array(Vote), comments: z.number().int() }),
  errors: ['not_found'],
})

export const myVote = socialEndpoint('GET /api/votes/:taskId/my-vote', {
  summary: "The caller's vote on a task; null where there is none.",
  params: OfTask,
  reply: z.object({ vote: Vote.nullable() }),
  errors: ['not_found'],
})

export const withdrawVote = socialEndpoint('DELETE /api/votes/:taskId', {
  summary: 'Withdraw the own vote while voting is open.',
  touches: [tasks, task, taskVotes, myVote],
  params: OfTask,
  reply: z.object({ taskVotes: TaskVotes }),
  errors: ['not_found', 'voting_closed'],
})

export const castVote = socialEndpoint('POST /api/votes/:taskId', {
  summary: 'Vote on a task, or change the vote. One vote a person, while the task is proposed or in voting.',
  touches: [tasks, task, taskVotes, myVote],
  params: OfTask,
  body: Ballot,
  reply: z.object({ taskVotes: TaskVotes, vote: Vote }),
  errors: ['not_found', 'voting_closed'],
})

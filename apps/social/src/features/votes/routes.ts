import { castVote, myVote, taskVotes, withdrawVote } from '@shapecast/contracts/votes'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { VoteDesk } from './vote-desk.ts'

/** Voting on tasks. */
export function voteRoutes(app: ServiceApp, desk: VoteDesk): void {
  registerEndpoint(app, castVote, ({ params, body, caller, request }) =>
    desk.cast(params.taskId, body, { userId: caller.userId, address: request.ip }),
  )
  registerEndpoint(app, withdrawVote, async ({ params, caller, request }) => ({
    taskVotes: await desk.withdraw(params.taskId, { userId: caller.userId, address: request.ip }),
  }))
  registerEndpoint(app, taskVotes, ({ params, query }) => desk.list(params.taskId, query))
  registerEndpoint(app, myVote, async ({ params, caller }) => ({ vote: await desk.own(params.taskId, caller.userId) }))
}

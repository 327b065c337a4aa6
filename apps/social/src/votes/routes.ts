import { castVote, myVote, taskVotes, withdrawVote } from '@shapecast/contracts/votes'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { VoteService } from './vote-service.ts'

/** Voting on tasks. */
export function voteRoutes(app: ServiceApp, service: VoteService): void {
  registerEndpoint(app, castVote, ({ params, body, caller, request }) =>
    service.cast(params.taskId, body, { userId: caller.userId, address: request.ip }),
  )
  registerEndpoint(app, withdrawVote, async ({ params, caller, request }) => ({
    taskVotes: await service.withdraw(params.taskId, { userId: caller.userId, address: request.ip }),
  }))
  registerEndpoint(app, taskVotes, ({ params, query }) => service.list(params.taskId, query))
  registerEndpoint(app, myVote, async ({ params, caller }) => ({
    vote: await service.own(params.taskId, caller.userId),
  }))
}

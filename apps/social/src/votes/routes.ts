import { castVote, myVote, taskVotes, withdrawVote } from '@shapecast/contracts/votes'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { VoteService } from './vote-service.ts'

/** Voting on tasks. */
export function voteRoutes(app: ServiceApp, service: VoteService): void {
  registerEndpoint(app, castVote, ({ params, body, caller }) => service.cast(params.taskId, body, caller))
  registerEndpoint(app, withdrawVote, async ({ params, caller }) => ({
    taskVotes: await service.withdraw(params.taskId, caller),
  }))
  registerEndpoint(app, taskVotes, ({ params, query }) => service.list(params.taskId, query))
  registerEndpoint(app, myVote, async ({ params, caller }) => ({
    vote: await service.own(params.taskId, caller.userId),
  }))
}

import * as tasks from '@shapecast/contracts/tasks'
import * as votes from '@shapecast/contracts/votes'
import { keyedRequest } from '@shapecast/platform/http/keyed-request'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Social } from '../ground/social.ts'
import { changeTask, createTask, deleteTask, readTask, readTasks, restoreTask } from './task-service.ts'
import { castVote, ownVote, readVotes, withdrawVote } from './vote-service.ts'

/** The task board, and voting on its tasks. */
export function taskRoutes(app: ServiceApp, social: Social): void {
  registerEndpoint(app, tasks.tasks, ({ query, caller }) => readTasks(social, query, caller))
  registerEndpoint(app, tasks.task, ({ params, caller }) => readTask(social, params.id, caller))
  registerEndpoint(app, tasks.createTask, ({ body, caller, request }) => {
    const keyed = keyedRequest(request.headers['idempotency-key'], { call: 'create-task', ...body })
    return createTask(social, body, caller, keyed)
  })
  registerEndpoint(app, tasks.changeTask, ({ params, body, caller }) => changeTask(social, params.id, body, caller))
  registerEndpoint(app, tasks.deleteTask, ({ params, caller }) => deleteTask(social, params.id, caller))
  registerEndpoint(app, tasks.restoreTask, ({ params, caller }) => restoreTask(social, params.id, caller))
  registerEndpoint(app, votes.castVote, ({ params, body, caller }) => castVote(social, params.taskId, body, caller))
  registerEndpoint(app, votes.withdrawVote, ({ params, caller }) => withdrawVote(social, params.taskId, caller))
  registerEndpoint(app, votes.taskVotes, ({ params, query }) => readVotes(social, params.taskId, query))
  registerEndpoint(app, votes.myVote, ({ params, caller }) => ownVote(social, params.taskId, caller.userId))
}

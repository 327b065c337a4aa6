import { changeTask, createTask, deleteTask, restoreTask, task, tasks } from '@shapecast/contracts/tasks'
import { keyedRequest } from '@shapecast/platform/http/keyed-request'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { TaskService } from './task-service.ts'

/** The task board. */
export function taskRoutes(app: ServiceApp, service: TaskService): void {
  registerEndpoint(app, tasks, async ({ query, caller }) => {
    const { page, limit } = query
    return { ...(await service.list(query, caller)), page, limit }
  })
  registerEndpoint(app, task, async ({ params, caller }) => ({ task: await service.read(params.id, caller) }))
  registerEndpoint(app, createTask, async ({ body, caller, request }) => ({
    task: await service.create(
      body,
      caller,
      keyedRequest(request.headers['idempotency-key'], { call: 'create-task', ...body }),
    ),
  }))
  registerEndpoint(app, changeTask, async ({ params, body, caller }) => ({
    task: await service.change(params.id, body, caller),
  }))
  registerEndpoint(app, deleteTask, ({ params, caller }) => service.delete(params.id, caller))
  registerEndpoint(app, restoreTask, async ({ params, caller }) => ({
    task: await service.restore(params.id, caller),
  }))
}

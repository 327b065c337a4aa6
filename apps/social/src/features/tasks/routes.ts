import { changeTask, createTask, deleteTask, restoreTask, task, tasks } from '@shapecast/contracts/tasks'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { TaskDesk } from './task-desk.ts'

/** The task board. */
export function taskRoutes(app: ServiceApp, desk: TaskDesk): void {
  registerEndpoint(app, tasks, async ({ query, caller }) => {
    const { page, limit } = query
    return { ...(await desk.list(query, caller.userId)), page, limit }
  })
  registerEndpoint(app, task, async ({ params, caller }) => ({ task: await desk.read(params.id, caller.userId) }))
  registerEndpoint(app, createTask, async ({ body, caller, request }) => ({
    task: await desk.create(body, { ...caller, address: request.ip }),
  }))
  registerEndpoint(app, changeTask, async ({ params, body, caller, request }) => ({
    task: await desk.change(params.id, body, { ...caller, address: request.ip }),
  }))
  registerEndpoint(app, deleteTask, async ({ params, caller, request }) => {
    await desk.delete(params.id, { ...caller, address: request.ip })
    return { ok: true } as const
  })
  registerEndpoint(app, restoreTask, async ({ params, caller, request }) => ({
    task: await desk.restore(params.id, { ...caller, address: request.ip }),
  }))
}

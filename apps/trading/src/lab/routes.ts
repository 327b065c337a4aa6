import { batch, batches, createBatch, exportBatch } from '@shapecast/contracts/batch'
import {
  createWalkForward,
  exportWalkForward,
  walkForward,
  walkForwardGround,
  walkForwards,
} from '@shapecast/contracts/walk-forward'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { BatchService } from './batch-service.ts'
import type { WalkService } from './walk-service.ts'

/** Walks and batches: asking for them and reading what they came to. */
export function labRoutes(
  app: ServiceApp,
  { walks, batches: many }: { walks: WalkService; batches: BatchService },
): void {
  registerEndpoint(app, createWalkForward, async ({ body, caller }) => ({ id: await walks.request(body, caller) }))
  registerEndpoint(app, walkForwards, ({ query, caller }) => walks.list(caller, query.limit))
  registerEndpoint(app, walkForwardGround, ({ query }) => walks.ground(query))
  registerEndpoint(app, walkForward, ({ params, caller }) => walks.read(params.id, caller))
  registerEndpoint(app, exportWalkForward, ({ params, query, caller }) => walks.export(params.id, query.format, caller))
  registerEndpoint(app, createBatch, async ({ body, caller }) => ({ id: await many.request(body, caller) }))
  registerEndpoint(app, batches, ({ query, caller }) => many.list(caller, query.limit))
  registerEndpoint(app, exportBatch, ({ params, query, caller }) => many.export(params.id, query.format, caller))
  registerEndpoint(app, batch, ({ params, caller }) => many.read(params.id, caller))
}

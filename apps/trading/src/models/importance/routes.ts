import { importance, requestImportance } from '@shapecast/contracts/importance'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { ImportanceService } from './importance-service.ts'

/** What an artifact looks at, and asking for it. */
export function importanceRoutes(app: ServiceApp, service: ImportanceService): void {
  registerEndpoint(app, importance, ({ params }) => service.read(params.id))
  registerEndpoint(app, requestImportance, ({ params, caller }) => service.request(params.id, caller))
}

import { importance, requestImportance } from '@shapecast/contracts/importance'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { ImportanceDesk } from './importance-desk.ts'

/** What an artifact looks at, and asking for it. */
export function importanceRoutes(app: ServiceApp, desk: ImportanceDesk): void {
  registerEndpoint(app, importance, ({ params }) => desk.read(params.id))
  registerEndpoint(app, requestImportance, ({ params, caller, request }) => desk.request(params.id, caller, request.ip))
}

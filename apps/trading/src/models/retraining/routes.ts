import { endRetraining, retrainings, setRetraining } from '@shapecast/contracts/retraining'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { RetrainingService } from './retraining-service.ts'

export function retrainingRoutes(app: ServiceApp, service: RetrainingService): void {
  registerEndpoint(app, retrainings, ({ query }) => service.list(query))
  registerEndpoint(app, setRetraining, ({ body, caller }) => service.set(body, caller))
  registerEndpoint(app, endRetraining, ({ params, caller }) => service.end(params.id, caller))
}

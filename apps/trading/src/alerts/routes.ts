import { alerts, changeAlert, createAlert, deleteAlert, restoreAlert } from '@shapecast/contracts/alerts'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { AlertService } from './alert-service.ts'

export function alertRoutes(app: ServiceApp, service: AlertService): void {
  registerEndpoint(app, alerts, ({ caller }) => service.list(caller))
  registerEndpoint(app, createAlert, ({ body, caller }) => service.create(caller, body))
  registerEndpoint(app, changeAlert, ({ params, body, caller }) => service.change(caller, params.id, body))
  registerEndpoint(app, deleteAlert, ({ params, caller }) => service.delete(caller, params.id))
  registerEndpoint(app, restoreAlert, ({ params, caller }) => service.restore(caller, params.id))
}

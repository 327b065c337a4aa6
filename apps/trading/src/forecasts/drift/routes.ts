import { driftStates, modelDrift } from '@shapecast/contracts/drift'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { DriftService } from './drift-service.ts'

/** Drift: of one version in full, and of all in a word. */
export function driftRoutes(app: ServiceApp, service: DriftService): void {
  registerEndpoint(app, modelDrift, ({ params, query }) => service.read(params.version, query))
  registerEndpoint(app, driftStates, () => service.states())
}

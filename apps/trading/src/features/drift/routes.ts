import { driftStates, modelDrift } from '@shapecast/contracts/drift'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { DriftDesk } from './drift-desk.ts'

/** Drift: of one version in full, and of all in a word. */
export function driftRoutes(app: ServiceApp, desk: DriftDesk): void {
  registerEndpoint(app, modelDrift, ({ params, query }) => desk.read(params.version, query))
  registerEndpoint(app, driftStates, () => desk.states())
}

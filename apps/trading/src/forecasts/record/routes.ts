import { leaderboard, trackRecord } from '@shapecast/contracts/track-record'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { RecordService } from './record-service.ts'

/** The track record: of one version, and of all by their skill. */
export function recordRoutes(app: ServiceApp, service: RecordService): void {
  registerEndpoint(app, trackRecord, ({ params, query }) => service.read(params.version, query))
  registerEndpoint(app, leaderboard, ({ query }) => service.leaderboard(query))
}

import { leaderboard, trackRecord } from '@shapecast/contracts/track-record'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { RecordDesk } from './record-desk.ts'

/** The track record: of one version, and of all by their skill. */
export function recordRoutes(app: ServiceApp, desk: RecordDesk): void {
  registerEndpoint(app, trackRecord, ({ params, query }) => desk.read(params.version, query))
  registerEndpoint(app, leaderboard, ({ query }) => desk.leaderboard(query))
}

import { activities, userActivities } from '@shapecast/contracts/activities'
import type { Orm } from '@shapecast/platform/database/database'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import { listActivities } from './activity-store.ts'

/** The activity feed. */
export function activityRoutes(app: ServiceApp, orm: Orm): void {
  registerEndpoint(app, activities, ({ query, caller }) => listActivities(orm, caller, query))
  registerEndpoint(app, userActivities, ({ params, query, caller }) =>
    listActivities(orm, caller, { ...query, actorId: params.userId }),
  )
}

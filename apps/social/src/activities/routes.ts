import { activities, userActivities } from '@shapecast/contracts/activities'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { Social } from '../ground/social.ts'
import { listActivities } from './activity-store.ts'

/** The activity feed. */
export function activityRoutes(app: ServiceApp, { db: { orm } }: Social): void {
  registerEndpoint(app, activities, ({ query, caller }) => listActivities(orm, caller, query))
  registerEndpoint(app, userActivities, ({ params, query, caller }) =>
    listActivities(orm, caller, { ...query, actorId: params.userId }),
  )
}

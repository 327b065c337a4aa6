import { recordActivity } from '@shapecast/platform/activities'
import type { Orm } from '@shapecast/platform/database/database'

/** Writes down for the activity feed what was done to a version; by nobody (null) where the installation did it. */
export const recordModelActivity = (
  tx: Orm,
  action: `model.${string}`,
  actorId: string | null,
  version: string,
  detail: string,
): Promise<void> =>
  recordActivity(tx, { type: 'model', action, actorId, subject: { id: version, name: version }, detail })

import type { ActivityFilter, ActivityPage } from '@shapecast/contracts/activities'
import type { Orm } from '@shapecast/platform/database/database'
import type { Caller } from '@shapecast/platform/sessions'
import { activities } from '@shapecast/platform/tables'
import { and, desc, eq, or } from 'drizzle-orm'
import { userNames } from '../users/user-names.ts'

/** A page of what `viewer` may see, the newest first: by one user where `actorId` is given. */
export async function listActivities(
  orm: Orm,
  viewer: Pick<Caller, 'userId' | 'role'>,
  { type, subject, page, limit, actorId }: ActivityFilter & { actorId?: string },
): Promise<ActivityPage> {
  const rows = await orm
    .select({
      _id: activities.id,
      type: activities.type,
      action: activities.action,
      actor: userNames,
      subject: { id: activities.subjectId, name: activities.subjectName },
      detail: activities.detail,
      at: activities.at,
      marketAt: activities.marketAtMs,
    })
    .from(activities)
    .leftJoin(userNames, eq(userNames.id, activities.actorId))
    .where(
      and(
        viewer.role === 'admin' ? undefined : or(activities.isPublic, eq(activities.ownerId, viewer.userId)),
        type && eq(activities.type, type),
        subject === undefined ? undefined : eq(activities.subjectId, subject),
        actorId === undefined ? undefined : eq(activities.actorId, actorId),
      ),
    )
    .orderBy(desc(activities.id))
    .limit(limit + 1)
    .offset((page - 1) * limit)
  const shown = rows.slice(0, limit).map(({ at, ...row }) => ({ ...row, createdAt: at.getTime() }))
  return { activities: shown, page, limit, hasMore: rows.length > limit }
}

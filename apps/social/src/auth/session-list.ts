import type { OwnSession } from '@shapecast/contracts/own-account'
import type { Orm } from '@shapecast/platform/database/database'
import { sessions } from '@shapecast/platform/tables'
import { and, desc, eq, gt, isNull } from 'drizzle-orm'

const open = (userId: string, nowMs: number) =>
  and(eq(sessions.userId, userId), isNull(sessions.endedAt), gt(sessions.expiresAt, new Date(nowMs)))

/** Where a user is signed in, the newest first. */
export async function listSessions(orm: Orm, userId: string, sid: string, nowMs: number): Promise<OwnSession[]> {
  const rows = await orm.select().from(sessions).where(open(userId, nowMs)).orderBy(desc(sessions.id))
  return rows.map((row) => ({
    id: row.id,
    isCurrent: row.id === sid,
    address: row.address,
    userAgent: row.userAgent,
    createdAt: row.createdAt.getTime(),
    lastSeenAt: (row.lastSeenAt ?? row.createdAt).getTime(),
  }))
}

export async function hasSession(orm: Orm, userId: string, id: string, nowMs: number): Promise<boolean> {
  const found = await orm
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(open(userId, nowMs), eq(sessions.id, id)))
  return found.length > 0
}

/** Whether a user has signed in before, and never with this browser. */
export async function isNewDevice(orm: Orm, userId: string, userAgent: string | undefined): Promise<boolean> {
  const rows = await orm
    .select({ userAgent: sessions.userAgent })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .groupBy(sessions.userAgent)
  return rows.length > 0 && rows.every((row) => row.userAgent !== (userAgent ?? null))
}

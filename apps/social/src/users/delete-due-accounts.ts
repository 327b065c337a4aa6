import { recordAudit, SYSTEM } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { channelLinks, deliveries, notificationSettings, notifications, receivers } from '@shapecast/platform/tables'
import { and, eq, isNotNull, lte } from 'drizzle-orm'
import { users } from './users-table.ts'

/**
 * Deletes the accounts whose time to come back has passed, with what is theirs here and, by `deleteTrading`, at the other
 * service. What they did stays in the audit under their id. Returns how many.
 */
export async function deleteDueAccounts(
  deps: { db: Database; deleteTrading(tx: Orm, userId: string): Promise<void> },
  nowMs: number,
): Promise<number> {
  const due = and(isNotNull(users.deletesAtMs), lte(users.deletesAtMs, nowMs))
  const rows = await deps.db.orm.select({ id: users.id }).from(users).where(due)
  for (const { id } of rows)
    await deps.db.orm.transaction(async (tx) => {
      // Signing in may have taken it back just now.
      const [held] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(due, eq(users.id, id)))
        .for('update')
      if (held === undefined) return
      await deps.deleteTrading(tx, id)
      await tx.delete(notifications).where(eq(notifications.userId, id))
      await tx.delete(notificationSettings).where(eq(notificationSettings.userId, id))
      await tx.delete(channelLinks).where(eq(channelLinks.userId, id))
      await tx.delete(receivers).where(eq(receivers.userId, id))
      await tx.delete(deliveries).where(eq(deliveries.userId, id))
      await tx.delete(users).where(eq(users.id, id))
      await recordAudit(tx, SYSTEM, {
        action: 'user.deleted',
        subject: { type: 'user', id },
      })
    })
  return rows.length
}

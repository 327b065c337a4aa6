import { AppError } from '@shapecast/contracts/errors'
import { CHANNEL_NAMES, type Channel, type Delivery } from '@shapecast/contracts/notifications'
import type { Orm } from '@shapecast/platform/database/database'
import { deliveries } from '@shapecast/platform/tables'
import { and, desc, eq, inArray } from 'drizzle-orm'

export async function deliveriesOf(orm: Orm, userId: string, limit: number): Promise<Delivery[]> {
  const rows = await orm
    .select()
    .from(deliveries)
    .where(eq(deliveries.userId, userId))
    .orderBy(desc(deliveries.id))
    .limit(limit)
  return rows.map(shownDelivery)
}

/** The newest message by each channel. */
export async function newestOf(orm: Orm, userId: string): Promise<Map<Channel, Delivery>> {
  const rows = await Promise.all(
    CHANNEL_NAMES.map((channel) =>
      orm
        .select()
        .from(deliveries)
        .where(and(eq(deliveries.userId, userId), eq(deliveries.channel, channel)))
        .orderBy(desc(deliveries.id))
        .limit(1),
    ),
  )
  return new Map(rows.flat().map((row) => [row.channel, shownDelivery(row)]))
}

export const shownDelivery = (row: typeof deliveries.$inferSelect): Delivery => ({
  id: row.id,
  channel: row.channel,
  kind: row.kind,
  about: row.title,
  state: row.state,
  tries: row.tries,
  answer: row.answer,
  tookMs: row.tookMs,
  createdAt: row.createdAtMs,
  nextTryAt: row.nextTryAtMs,
})

/** Lets a message that failed, or waits, be tried now. */
export async function retryNow(orm: Orm, userId: string, id: string, nowMs: number): Promise<void> {
  const which = and(
    eq(deliveries.id, id),
    eq(deliveries.userId, userId),
    inArray(deliveries.state, ['waiting', 'failed']),
  )
  const found = await orm
    .update(deliveries)
    .set({ state: 'waiting', nextTryAtMs: nowMs, heldUntilMs: null })
    .where(which)
    .returning({ id: deliveries.id })
  if (found.length === 0) throw new AppError('not_found', 'This message was delivered, or is forgotten.')
}

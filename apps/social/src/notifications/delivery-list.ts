import { AppError } from '@shapecast/contracts/errors'
import type { Delivery } from '@shapecast/contracts/notifications'
import type { Orm } from '@shapecast/platform/database/database'
import { deliveries } from '@shapecast/platform/tables'
import { and, desc, eq, inArray } from 'drizzle-orm'

const COLUMNS = {
  id: deliveries.id,
  channel: deliveries.channel,
  kind: deliveries.kind,
  about: deliveries.title,
  state: deliveries.state,
  tries: deliveries.tries,
  answer: deliveries.answer,
  tookMs: deliveries.tookMs,
  createdAt: deliveries.createdAtMs,
  nextTryAt: deliveries.nextTryAtMs,
}

export const listDeliveries = (orm: Orm, userId: string, limit: number): Promise<Delivery[]> =>
  orm.select(COLUMNS).from(deliveries).where(eq(deliveries.userId, userId)).orderBy(desc(deliveries.id)).limit(limit)

export async function readDelivery(orm: Orm, id: string): Promise<Delivery> {
  const [found] = await orm.select(COLUMNS).from(deliveries).where(eq(deliveries.id, id))
  return found!
}

/** The newest message by each channel. */
export const newestDeliveries = (orm: Orm, userId: string): Promise<Delivery[]> =>
  orm
    .selectDistinctOn([deliveries.channel], COLUMNS)
    .from(deliveries)
    .where(eq(deliveries.userId, userId))
    .orderBy(deliveries.channel, desc(deliveries.id))

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

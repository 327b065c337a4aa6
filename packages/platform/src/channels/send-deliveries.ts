import { MOST_TRIES } from '@shapecast/contracts/notifications'
import { and, asc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import type { Logger } from '../logging.ts'
import { readPolicy } from '../policy.ts'
import { createSeal } from '../seal.ts'
import { deliveries, receivers } from '../tables.ts'
import { CHANNEL_SENDERS, RECEIVER_SEAL } from './channels.ts'

const AT_ONCE = 20
/** Longer than a try may last: one whose worker died is taken again after it. */
const TAKEN_MS = 60_000
const KEPT_MS = 7 * 86_400_000
const FIRST_WAIT_MS = 30_000

/** 30 s, 2 min, 8 min, 32 min, about 2 h, then 8 h. */
export const waitAfter = (tries: number): number => Math.min(FIRST_WAIT_MS * 4 ** (tries - 1), 8 * 3_600_000)

type Row = typeof deliveries.$inferSelect

export interface DeliveryDeps {
  db: Database
  secretKey: string
  log: Logger
  now?: () => number
}

/**
 * Sends what is due by the channels, and forgets what is older than 7 days. Several processes may do so at once: a message is
 * taken by one of them. One that fails is tried 8 times, over about 19 hours. Returns how many were tried.
 */
export async function sendDeliveries({ db, secretKey, log, now = Date.now }: DeliveryDeps): Promise<number> {
  const { orm } = db
  const seal = createSeal(secretKey, RECEIVER_SEAL)
  await orm.delete(deliveries).where(lt(deliveries.createdAtMs, now() - KEPT_MS))
  const due = orm
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.state, 'waiting'), lte(deliveries.nextTryAtMs, now())))
    .orderBy(asc(deliveries.nextTryAtMs))
    .limit(AT_ONCE)
    .for('update', { skipLocked: true })
  const taken = await orm
    .update(deliveries)
    .set({ nextTryAtMs: now() + TAKEN_MS, tries: sql`${deliveries.tries} + 1` })
    .where(inArray(deliveries.id, due))
    .returning()
  if (taken.length === 0) return 0
  const { privateWebhooks: allowPrivate } = await readPolicy(orm)

  async function send(row: Row): Promise<void> {
    const which = and(eq(receivers.userId, row.userId), eq(receivers.channel, row.channel))
    const [to] = await orm.select().from(receivers).where(which)
    const secret = to?.secret == null ? '' : seal.open(to.secret, row.userId)
    if (to === undefined || secret === null)
      return settle(row, { isDone: false, answer: `no ${row.channel}`, tookMs: null }, true)
    const startedMs = now()
    try {
      const status = await CHANNEL_SENDERS[row.channel].send(row, { url: to.url, secret, allowPrivate }, startedMs)
      await settle(row, { isDone: status >= 200 && status < 300, answer: String(status), tookMs: now() - startedMs })
    } catch (error) {
      const answer = error instanceof Error && error.name !== 'AbortError' ? error.message : 'no answer within 10 s'
      await settle(row, { isDone: false, answer: answer.slice(0, 200), tookMs: null })
    }
  }

  async function settle(row: Row, end: { isDone: boolean; answer: string; tookMs: number | null }, isOver = false) {
    const isLost = isOver || row.tries >= MOST_TRIES
    const { answer, tookMs } = end
    await orm
      .update(deliveries)
      .set({
        state: end.isDone ? 'delivered' : isLost ? 'failed' : 'waiting',
        nextTryAtMs: end.isDone || isLost ? null : now() + waitAfter(row.tries),
        answer,
        tookMs,
      })
      .where(eq(deliveries.id, row.id))
    if (!end.isDone && isLost) log.warn({ delivery: row.id, answer }, 'a message was given up')
  }

  await Promise.all(taken.map(send))
  return taken.length
}

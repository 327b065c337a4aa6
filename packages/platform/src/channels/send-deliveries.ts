import { MOST_TRIES } from '@shapecast/contracts/notifications'
import { and, asc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Database, Orm } from '../database/database.ts'
import type { Logger } from '../logging.ts'
import { readPolicy } from '../policy.ts'
import { createSeal } from '../seal.ts'
import { deliveries, receivers } from '../tables.ts'
import type { Answer } from './channel.ts'
import { type Channels, channelsOf, RECEIVER_SEAL } from './channels.ts'
import { createOutlets, type Outlets } from './outlets.ts'

const AT_ONCE = 20
/** Longer than a try may last: one whose worker died is taken again after it. */
export const TAKEN_MS = 60_000
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
  /** How messages are sent; over the network when left out. */
  channels?: ((outlets: Outlets) => Channels) | undefined
}

/** Why a message could not be sent, in words. */
export function failureWords(error: unknown): string {
  const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
  return isLate ? 'no answer within 10 s' : error instanceof Error ? error.message : 'no answer'
}

/** Forgets messages of more than 7 days ago. */
export async function forgetDeliveries(orm: Orm, nowMs: number): Promise<void> {
  await orm.delete(deliveries).where(lt(deliveries.createdAtMs, nowMs - KEPT_MS))
}

/**
 * Sends what is due by the channels. Several processes may do so at once: a message is
 * taken by one of them. One that fails is tried 8 times, over about 19 hours. Returns how many were tried.
 */
export async function sendDeliveries(deps: DeliveryDeps): Promise<number> {
  const { orm } = deps.db
  const now = deps.now ?? Date.now
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
  if (taken.length > 0) await sendTaken(deps, taken)
  return taken.length
}

/** Sends messages that were taken, once each, and writes down the result. */
export async function sendTaken(deps: DeliveryDeps, taken: readonly Row[]): Promise<void> {
  const { db, log, secretKey, now = Date.now } = deps
  const { orm } = db
  const { seal, open } = createSeal(secretKey, RECEIVER_SEAL)
  const channels = (deps.channels ?? channelsOf)(await createOutlets(orm, secretKey).read())
  const { privateWebhooks: allowPrivate } = await readPolicy(orm)

  async function send(row: Row): Promise<void> {
    const which = and(eq(receivers.userId, row.userId), eq(receivers.channel, row.channel))
    const [to] = await orm.select().from(receivers).where(which)
    const secret = to?.secret == null ? '' : open(to.secret, row.userId)
    if (to === undefined || secret === null)
      return settle(row, { isTaken: false, words: `no ${row.channel}`, isGone: true }, null)
    const startedMs = now()
    try {
      const answer = await channels[row.channel].send(row, { address: to.url, secret, allowPrivate }, startedMs)
      if (answer.secret !== undefined || answer.isGone)
        await orm
          .update(receivers)
          .set({
            ...(answer.secret !== undefined && { secret: seal(answer.secret, row.userId) }),
            ...(answer.isGone && { isOn: false }),
          })
          .where(which)
      await settle(row, answer, now() - startedMs)
    } catch (error) {
      await settle(row, { isTaken: false, words: failureWords(error) }, null)
    }
  }

  async function settle(row: Row, { isTaken, words, isGone, waitMs = 0 }: Answer, tookMs: number | null) {
    const isLost = !isTaken && (isGone || row.tries >= MOST_TRIES)
    const answer = words.slice(0, 200)
    await orm
      .update(deliveries)
      .set({
        state: isTaken ? 'delivered' : isLost ? 'failed' : 'waiting',
        nextTryAtMs: isTaken || isLost ? null : now() + Math.max(waitAfter(row.tries), waitMs),
        answer,
        tookMs,
      })
      .where(eq(deliveries.id, row.id))
    if (isLost) log.warn({ delivery: row.id, answer }, 'a message was given up')
  }

  await Promise.all(taken.map(send))
}

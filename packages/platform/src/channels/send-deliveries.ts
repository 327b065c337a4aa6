import { MOST_TRIES } from '@shapecast/contracts/notifications'
import { and, asc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import type { Logger } from '../logging.ts'
import { readPolicy } from '../policy.ts'
import { createSeal } from '../seal.ts'
import { notificationSettings, webhookDeliveries } from '../tables.ts'
import { postMessage } from './post-message.ts'

export const WEBHOOK_SEAL = 'webhook-secrets'
const AT_ONCE = 20
/** Longer than a try may last: one whose worker died is taken again after it. */
const TAKEN_MS = 60_000
const KEPT_MS = 7 * 86_400_000
const FIRST_WAIT_MS = 30_000

/** 30 s, 2 min, 8 min, 32 min, about 2 h, then 8 h. */
export const waitAfter = (tries: number): number => Math.min(FIRST_WAIT_MS * 4 ** (tries - 1), 8 * 3_600_000)

type Row = typeof webhookDeliveries.$inferSelect

export interface DeliveryDeps {
  db: Database
  secretKey: string
  log: Logger
  now?: () => number
}

/**
 * The body of a message. Slack's bridges read `text`, Discord's `content`; what others wrote in it calls nobody there:
 * Slack's `<!channel>` and `<@user>` are broken up, and Discord is told to parse no mentions.
 */
const bodyOf = ({ id, kind, title, text, link, createdAtMs }: Row): string => {
  const line = text === '' ? title : `${title}\n${text}`
  return JSON.stringify({
    id,
    kind,
    title,
    message: text,
    link,
    at: createdAtMs,
    text: line.replace(/<(?=[!@#])/g, '< '),
    content: line,
    allowed_mentions: { parse: [] },
  })
}

/**
 * Sends what is due to webhooks, and forgets what is older than 7 days. Several processes may do so at once: a message is
 * taken by one of them. One that fails is tried 8 times, over about 19 hours. Returns how many were tried.
 */
export async function sendDeliveries({ db, secretKey, log, now = Date.now }: DeliveryDeps): Promise<number> {
  const { orm } = db
  const seal = createSeal(secretKey, WEBHOOK_SEAL)
  await orm.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAtMs, now() - KEPT_MS))
  const due = orm
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.state, 'waiting'), lte(webhookDeliveries.nextTryAtMs, now())))
    .orderBy(asc(webhookDeliveries.nextTryAtMs))
    .limit(AT_ONCE)
    .for('update', { skipLocked: true })
  const taken = await orm
    .update(webhookDeliveries)
    .set({ nextTryAtMs: now() + TAKEN_MS, tries: sql`${webhookDeliveries.tries} + 1` })
    .where(inArray(webhookDeliveries.id, due))
    .returning()
  if (taken.length === 0) return 0
  const { privateWebhooks: allowPrivate } = await readPolicy(orm)

  async function send(row: Row): Promise<void> {
    const [to] = await orm.select().from(notificationSettings).where(eq(notificationSettings.userId, row.userId))
    const secret = to?.webhookSecret ? seal.open(to.webhookSecret, row.userId) : null
    if (!to?.webhookUrl || secret === null)
      return settle(row, { isDone: false, answer: 'no webhook', tookMs: null }, true)
    const startedMs = now()
    try {
      const message = { url: to.webhookUrl, secret, body: bodyOf(row), allowPrivate, atMs: startedMs }
      const status = await postMessage(message)
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
      .update(webhookDeliveries)
      .set({
        state: end.isDone ? 'delivered' : isLost ? 'failed' : 'waiting',
        nextTryAtMs: end.isDone || isLost ? null : now() + waitAfter(row.tries),
        answer,
        tookMs,
      })
      .where(eq(webhookDeliveries.id, row.id))
    if (!end.isDone && isLost) log.warn({ delivery: row.id, answer }, 'a webhook message was given up')
  }

  await Promise.all(taken.map(send))
  return taken.length
}

import { randomBytes } from 'node:crypto'
import { AppError } from '@shapecast/contracts/errors'
import {
  ALWAYS_TOLD,
  type Delivery,
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationChoices,
  type NotificationKind,
  type NotificationSettings,
} from '@shapecast/contracts/notifications'
import { recordAudit } from '@shapecast/platform/audit'
import { postMessage } from '@shapecast/platform/channels/post-message'
import { isPublicAddress, literalAddress, REFUSED_ADDRESS } from '@shapecast/platform/channels/public-address'
import { WEBHOOK_SEAL } from '@shapecast/platform/channels/send-deliveries'
import type { Database } from '@shapecast/platform/database/database'
import { isToldInApp } from '@shapecast/platform/notify'
import { readPolicy } from '@shapecast/platform/policy'
import { createSeal } from '@shapecast/platform/seal'
import { notificationSettings, notifications, webhookDeliveries } from '@shapecast/platform/tables'
import { and, count, desc, eq, gt, inArray, isNull } from 'drizzle-orm'

const TESTS_A_MINUTE = 5
const TEST = { title: 'A test from Shapecast', text: 'Your webhook works.' }

export interface Member {
  readonly userId: string
  readonly address: string
}

type SettingsRow = typeof notificationSettings.$inferSelect

function choicesOf(row: SettingsRow | undefined): NotificationChoices {
  const entries = NOTIFICATION_KINDS.map((kind) => {
    const chosen = row?.choices[kind]
    return [kind, { app: isToldInApp(kind, chosen), webhook: chosen?.webhook ?? false }]
  })
  return Object.fromEntries(entries) as NotificationChoices
}

/** What a person was told, and how they want to be told. */
export function createNotificationService({
  db,
  secretKey,
  now,
  post = postMessage,
}: {
  db: Database
  secretKey: string
  now(): number
  /** How a test reaches a webhook. */
  post?: typeof postMessage | undefined
}) {
  const { orm } = db
  const { seal, open } = createSeal(secretKey, WEBHOOK_SEAL)

  const unreadOf = async (userId: string): Promise<number> => {
    const which = and(eq(notifications.userId, userId), isNull(notifications.readAtMs))
    const [row] = await orm.select({ unread: count() }).from(notifications).where(which)
    return row!.unread
  }
  const find = async (userId: string): Promise<SettingsRow | undefined> => {
    const [row] = await orm.select().from(notificationSettings).where(eq(notificationSettings.userId, userId))
    return row
  }
  const store = async (userId: string, change: Partial<Omit<SettingsRow, 'userId'>>): Promise<void> => {
    await orm
      .insert(notificationSettings)
      .values({ userId, ...change })
      .onConflictDoUpdate({ target: notificationSettings.userId, set: change })
  }
  const requireWebhook = async (userId: string): Promise<SettingsRow> => {
    const row = await find(userId)
    if (row?.webhookUrl == null) throw new AppError('not_found', 'Set the address of a webhook first.')
    return row
  }
  const makeSecret = (userId: string) => {
    const secret = `whsec_${randomBytes(24).toString('base64url')}`
    return { secret, sealed: seal(secret, userId) }
  }

  /** Sends a signed test, and gives the status of its answer. Throws `unprocessable` where none came. */
  async function tried(to: { url: string; secret: string; allowPrivate: boolean }): Promise<number> {
    const { title, text } = TEST
    const body = JSON.stringify({
      kind: 'test',
      title,
      message: text,
      at: now(),
      text: `${title}\n${text}`,
      content: title,
    })
    try {
      return await post({ ...to, body, atMs: now() })
    } catch (error) {
      const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
      const why = isLate ? 'no answer within 10 s' : error instanceof Error ? error.message : 'no answer'
      throw new AppError('unprocessable', `This address could not be reached, so it was not saved: ${why}.`, {
        field: 'url',
        cause: error,
      })
    }
  }

  async function settings(userId: string): Promise<NotificationSettings> {
    const row = await find(userId)
    const secret = row?.webhookSecret == null ? '' : (open(row.webhookSecret, userId) ?? '')
    const webhook =
      row?.webhookUrl == null ? null : { url: row.webhookUrl, isOn: row.webhookIsOn, secretEnd: secret.slice(-4) }
    return { choices: choicesOf(row), webhook }
  }

  return {
    settings,

    async list(userId: string, filter: { kind?: NotificationKind | undefined; page: number; limit: number }) {
      const { kind, page, limit } = filter
      const rows = await orm
        .select()
        .from(notifications)
        .where(and(eq(notifications.userId, userId), kind && eq(notifications.kind, kind)))
        .orderBy(desc(notifications.id))
        .limit(limit + 1)
        .offset((page - 1) * limit)
      const shown = rows.slice(0, limit).map(
        (row): Notification => ({
          id: row.id,
          kind: row.kind,
          title: row.title,
          text: row.text,
          link: row.link,
          createdAt: row.createdAtMs,
          marketAt: row.marketAtMs,
          isRead: row.readAtMs !== null,
        }),
      )
      return { notifications: shown, unread: await unreadOf(userId), hasMore: rows.length > limit }
    },

    /** Marks those of the user that are named, or all, and returns how many are left unread. */
    async markRead(userId: string, ids: readonly string[] | undefined): Promise<number> {
      const which = ids === undefined ? undefined : inArray(notifications.id, [...ids])
      if (ids === undefined || ids.length > 0)
        await orm
          .update(notifications)
          .set({ readAtMs: now() })
          .where(and(eq(notifications.userId, userId), isNull(notifications.readAtMs), which))
      return unreadOf(userId)
    },

    async choose(userId: string, wanted: Partial<NotificationChoices>): Promise<NotificationSettings> {
      const choices = { ...choicesOf(await find(userId)), ...wanted }
      for (const kind of ALWAYS_TOLD) choices[kind] = { ...choices[kind], app: true }
      await store(userId, { choices })
      return settings(userId)
    },

    /**
     * Sets the webhook's address, once it has answered a test, with whatever status: its receiver may not know the secret
     * yet, which is given where it was made just now. Throws `unprocessable`.
     */
    async setWebhook({ userId, address }: Member, { url, isOn }: { url: string; isOn: boolean }) {
      const literal = literalAddress(new URL(url))
      const isLocal = new URL(url).hostname === 'localhost' || (literal !== null && !isPublicAddress(literal))
      const allowPrivate = (await readPolicy(orm)).privateWebhooks
      if (isLocal && !allowPrivate) throw new AppError('unprocessable', REFUSED_ADDRESS, { field: 'url' })
      const before = await find(userId)
      const kept = before?.webhookSecret == null ? null : open(before.webhookSecret, userId)
      const made = kept === null ? makeSecret(userId) : null
      const answer = isOn ? await tried({ url, secret: kept ?? made!.secret, allowPrivate }) : null
      await store(userId, {
        webhookUrl: url,
        webhookIsOn: isOn,
        ...(made !== null && { webhookSecret: made.sealed }),
      })
      await audited({ userId, address }, 'webhook.set')
      return { settings: await settings(userId), secret: made?.secret ?? null, answer }
    },

    async renewSecret(member: Member): Promise<string> {
      await requireWebhook(member.userId)
      const { secret, sealed } = makeSecret(member.userId)
      await store(member.userId, { webhookSecret: sealed })
      await audited(member, 'webhook.secret_renewed')
      return secret
    },

    async deleteWebhook(member: Member): Promise<void> {
      const { userId } = member
      await store(userId, { webhookUrl: null, webhookIsOn: false, webhookSecret: null })
      await orm
        .delete(webhookDeliveries)
        .where(and(eq(webhookDeliveries.userId, userId), eq(webhookDeliveries.state, 'waiting')))
      await audited(member, 'webhook.deleted')
    },

    /** Queues a message of no import. Throws `too_many_requests` past 5 a minute. */
    async test(userId: string): Promise<string> {
      await requireWebhook(userId)
      const recent = and(
        eq(webhookDeliveries.userId, userId),
        eq(webhookDeliveries.kind, 'test'),
        gt(webhookDeliveries.createdAtMs, now() - 60_000),
      )
      const [sent] = await orm.select({ tests: count() }).from(webhookDeliveries).where(recent)
      if (sent!.tests >= TESTS_A_MINUTE)
        throw new AppError('too_many_requests', 'Five tests a minute are enough. Wait a moment.', { retryAfterS: 60 })
      const [row] = await orm
        .insert(webhookDeliveries)
        .values({
          userId,
          kind: 'test',
          ...TEST,
          state: 'waiting',
          nextTryAtMs: now(),
          createdAtMs: now(),
        })
        .returning({ id: webhookDeliveries.id })
      return row!.id
    },

    async deliveries(userId: string, limit: number): Promise<Delivery[]> {
      const rows = await orm
        .select()
        .from(webhookDeliveries)
        .where(eq(webhookDeliveries.userId, userId))
        .orderBy(desc(webhookDeliveries.id))
        .limit(limit)
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        about: row.title,
        state: row.state,
        tries: row.tries,
        answer: row.answer,
        tookMs: row.tookMs,
        createdAt: row.createdAtMs,
        nextTryAt: row.nextTryAtMs,
      }))
    },

    /** Lets a message that failed, or waits, be tried now. */
    async retry(userId: string, id: string): Promise<void> {
      const which = and(
        eq(webhookDeliveries.id, id),
        eq(webhookDeliveries.userId, userId),
        inArray(webhookDeliveries.state, ['waiting', 'failed']),
      )
      const found = await orm
        .update(webhookDeliveries)
        .set({ state: 'waiting', nextTryAtMs: now() })
        .where(which)
        .returning({ id: webhookDeliveries.id })
      if (found.length === 0) throw new AppError('not_found', 'This message was delivered, or is forgotten.')
    },
  }

  async function audited({ userId, address }: Member, action: string): Promise<void> {
    await recordAudit(orm, { actorId: userId, address, action, subject: { type: 'user', id: userId } })
  }
}
export type NotificationService = ReturnType<typeof createNotificationService>

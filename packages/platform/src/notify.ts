import { ALWAYS_TOLD, type NotificationKind } from '@shapecast/contracts/notifications'
import { eq } from 'drizzle-orm'
import type { Orm } from './database/database.ts'
import { notificationSettings, notifications, webhookDeliveries } from './tables.ts'

export interface Tell {
  readonly kind: NotificationKind
  /** One line: 'Lattice Pairs: order refused'. */
  readonly title: string
  /** What happened and what to do, in a sentence or two. */
  readonly text: string
  /** The path of the web client that shows it. */
  readonly link?: string
}

export const isToldInApp = (kind: NotificationKind, chosen: { app: boolean } | undefined): boolean =>
  ALWAYS_TOLD.includes(kind) || (chosen?.app ?? true)

/**
 * Tells a user something by the ways that they chose: in the app, and to their webhook. Give the transaction in which it
 * happens: then it is told if, and only if, it happened, and a worker sends it at least once.
 */
export async function notify(orm: Orm, userId: string, { kind, title, text, link }: Tell, nowMs = Date.now()) {
  const [settings] = await orm.select().from(notificationSettings).where(eq(notificationSettings.userId, userId))
  const chosen = settings?.choices[kind]
  const told = { userId, kind, title, text, link: link ?? null, createdAtMs: nowMs }
  if (isToldInApp(kind, chosen)) await orm.insert(notifications).values(told)
  if (settings?.webhookIsOn && chosen?.webhook)
    await orm.insert(webhookDeliveries).values({ ...told, state: 'waiting', nextTryAtMs: nowMs })
}

import { ALWAYS_TOLD, type NotificationKind } from '@shapecast/contracts/notifications'
import { inArray } from 'drizzle-orm'
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
 * Tells users things by the ways that they chose: in the app, and to their webhook. Give the transaction in which they
 * happen: then they are told if, and only if, they happened, and a worker sends them at least once. A statement a table,
 * however many there are.
 */
export async function notifyAll(orm: Orm, tells: readonly (Tell & { userId: string })[], nowMs: number): Promise<void> {
  if (tells.length === 0) return
  const users = [...new Set(tells.map(({ userId }) => userId))]
  const found = await orm.select().from(notificationSettings).where(inArray(notificationSettings.userId, users))
  const settings = new Map(found.map((row) => [row.userId, row]))
  const rows = tells.map(({ userId, kind, title, text, link }) => ({
    userId,
    kind,
    title,
    text,
    link: link ?? null,
    createdAtMs: nowMs,
  }))
  const inApp = rows.filter(({ userId, kind }) => isToldInApp(kind, settings.get(userId)?.choices[kind]))
  if (inApp.length > 0) await orm.insert(notifications).values(inApp)
  const sent = rows.filter(({ userId, kind }) => {
    const own = settings.get(userId)
    return own?.webhookIsOn === true && own.choices[kind]?.webhook === true
  })
  if (sent.length > 0)
    await orm
      .insert(webhookDeliveries)
      .values(sent.map((row) => ({ ...row, state: 'waiting' as const, nextTryAtMs: nowMs })))
}

/** Tells one user one thing; `notifyAll` says how. */
export const notify = (orm: Orm, userId: string, tell: Tell, nowMs = Date.now()): Promise<void> =>
  notifyAll(orm, [{ ...tell, userId }], nowMs)

import {
  type Channel,
  isAlwaysSent,
  type NotificationKind,
  type NotifiedBot,
  type QuietHours,
  URGENT_KINDS,
} from '@shapecast/contracts/notifications'
import { and, inArray, isNull, sql } from 'drizzle-orm'
import type { Orm } from './database/database.ts'
import { deliveries, notificationSettings, notifications, receivers } from './tables.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

/** What a clock on the wall says there: `22:14`. */
export const clockIn = (timeZone: string, atMs: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(atMs)

const minutesOf = (clock: string): number => 60 * Number(clock.slice(0, 2)) + Number(clock.slice(3))

/** When the quiet hours around `nowMs` end, ms; null outside of them. */
export function quietUntil({ isOn, from, to, timeZone }: QuietHours, nowMs: number): number | null {
  if (!isOn) return null
  const now = clockIn(timeZone, nowMs)
  const isQuiet = from < to ? from <= now && now < to : from <= now || now < to
  if (!isQuiet) return null
  const left = (minutesOf(to) - minutesOf(now) + DAY_MINUTES) % DAY_MINUTES
  const endMs = (Math.floor(nowMs / MINUTE_MS) + left) * MINUTE_MS
  // Clocks that are changed meanwhile show another time then.
  const late =
    ((minutesOf(clockIn(timeZone, endMs)) - minutesOf(to) + 1.5 * DAY_MINUTES) % DAY_MINUTES) - DAY_MINUTES / 2
  const shiftedMs = endMs - late * MINUTE_MS
  return clockIn(timeZone, shiftedMs) === to ? shiftedMs : endMs
}

export interface Tell {
  readonly kind: NotificationKind
  /** One line: 'Lattice Pairs: order refused'. */
  readonly title: string
  /** What happened and what to do, in a sentence or two. */
  readonly text: string
  /** The path of the web client that shows it. */
  readonly link?: string
  /** The bot that did it, or that it happened to. */
  readonly bot?: NotifiedBot
  /** Left out while the user has not read one of the same title and link: the hundredth vote says no more than the first. */
  readonly onceUnread?: true
  /** When it happened by the clock of a replay, ms. */
  readonly marketAtMs?: number | null
}

export const isNotifiedInApp = (kind: NotificationKind, chosen: { app: boolean } | undefined): boolean =>
  isAlwaysSent(kind, 'app') || (chosen?.app ?? true)

/**
 * Tells users things by the ways that they chose: in the app, and by channels. Give the transaction in which they
 * happen: then they are told if, and only if, they happened, and a worker sends them at least once. A statement a table,
 * however many there are.
 */
export async function notifyAll(orm: Orm, tells: readonly (Tell & { userId: string })[], nowMs: number): Promise<void> {
  if (tells.length === 0) return
  const users = [...new Set(tells.map(({ userId }) => userId))]
  const found = await orm.select().from(notificationSettings).where(inArray(notificationSettings.userId, users))
  const settings = new Map(found.map((row) => [row.userId, row]))
  const news = await withoutRepeats(orm, tells)
  const rows = news.map(({ userId, kind, title, text, link, bot, marketAtMs }) => ({
    userId,
    kind,
    title,
    text,
    link: link ?? null,
    bot: bot ?? null,
    createdAtMs: nowMs,
    // What virtual bots do all day asks nothing of anybody.
    readAtMs: kind === 'fill' && bot?.isVirtual ? nowMs : null,
    marketAtMs: marketAtMs ?? null,
  }))
  const inApp = rows.filter(({ userId, kind }) => isNotifiedInApp(kind, settings.get(userId)?.choices[kind]))
  if (inApp.length > 0) await orm.insert(notifications).values(inApp)
  const open = await orm
    .select({ userId: receivers.userId, channel: receivers.channel })
    .from(receivers)
    .where(and(inArray(receivers.userId, users), receivers.isOn))
  const sent = rows.flatMap(({ marketAtMs: _market, readAtMs: _read, bot: _bot, ...row }) =>
    open
      .filter(
        ({ userId, channel }) =>
          userId === row.userId &&
          (isAlwaysSent(row.kind, channel) || settings.get(userId)?.choices[row.kind]?.[channel]),
      )
      .map(({ channel }) => ({ ...row, channel, state: 'waiting' as const, nextTryAtMs: nowMs })),
  )
  const waitsUntil = ({ userId, kind, channel }: { userId: string; kind: NotificationKind; channel: Channel }) => {
    const quiet = settings.get(userId)?.quiet
    return quiet == null || channel === 'webhook' || URGENT_KINDS.includes(kind) ? null : quietUntil(quiet, nowMs)
  }
  const now = sent.filter((row) => (waitsUntil(row) ?? 0) <= nowMs + ABOUT_OVER_MS)
  if (now.length > 0) await orm.insert(deliveries).values(now)
  for (const row of sent) {
    if (now.includes(row)) continue
    const { timeZone } = settings.get(row.userId)!.quiet!
    await holdBack(orm, row, waitsUntil(row)!, `${clockIn(timeZone, nowMs)} ${row.title}`)
  }
}

/** What happens so shortly before quiet hours end is told at once: their message may be on its way already. */
const ABOUT_OVER_MS = 60_000
/** Characters, after which a message says only that there is more: the app has the whole. */
const LONGEST_TEXT = 3_000

/** Adds a line to the one message that a channel is sent after quiet hours. */
async function holdBack(
  orm: Orm,
  row: typeof deliveries.$inferInsert,
  heldUntilMs: number,
  line: string,
): Promise<void> {
  const { userId, channel, state, createdAtMs } = row
  const held = { userId, channel, state, createdAtMs, heldUntilMs, nextTryAtMs: heldUntilMs }
  const { text } = deliveries
  await orm
    .insert(deliveries)
    .values({ ...held, kind: 'quiet', title: 'While it was quiet', text: line })
    .onConflictDoUpdate({
      target: [deliveries.userId, deliveries.channel, deliveries.heldUntilMs],
      set: {
        text: sql`case when length(${text}) < ${LONGEST_TEXT} then ${text} || E'\n' || excluded.text
          when ${text} like E'%\n…' then ${text} else ${text} || E'\n…' end`,
      },
    })
}

async function withoutRepeats<T extends Tell & { userId: string }>(
  orm: Orm,
  tells: readonly T[],
): Promise<readonly T[]> {
  const once = tells.filter(({ onceUnread }) => onceUnread)
  if (once.length === 0) return tells
  const unread = await orm
    .select({ userId: notifications.userId, title: notifications.title, link: notifications.link })
    .from(notifications)
    .where(
      and(
        isNull(notifications.readAtMs),
        inArray(
          notifications.userId,
          once.map(({ userId }) => userId),
        ),
        inArray(
          notifications.title,
          once.map(({ title }) => title),
        ),
      ),
    )
  const keyOf = ({ userId, title, link }: { userId: string; title: string; link?: string | null }) =>
    JSON.stringify([userId, title, link ?? null])
  const known = new Set(unread.map(keyOf))
  return tells.filter((tell) => !tell.onceUnread || !known.has(keyOf(tell)))
}

/** Tells one user one thing; `notifyAll` says how. */
export const notify = (orm: Orm, userId: string, tell: Tell, nowMs = Date.now()): Promise<void> =>
  notifyAll(orm, [{ ...tell, userId }], nowMs)

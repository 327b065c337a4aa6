import type { Notification } from '@shapecast/contracts/notifications'
import { formatTableTimeYear } from '#kit/format/time.ts'

const HOUR_MS = 3_600_000

/** Fills of one bot, the newest first; or anything else, by itself. */
export type GroupItem = readonly [Notification, ...Notification[]]

export interface HourGroup {
  /** The beginning of the hour of its newest, ms. */
  readonly hourMs: number
  readonly items: readonly GroupItem[]
}

/** When it happened, by the market's clock where that is another one. */
export const happenedAt = ({ marketAt, createdAt }: Notification): number => marketAt ?? createdAt

/** A day by the chosen clock: `20 Nov 2026`. */
const dayOf = (ms: number): string => formatTableTimeYear(ms).split(',')[0]!

/** `Today, 18:00`; `8 Mar 2024, 22:00`. */
export function hourWords(hourMs: number, nowMs: number): string {
  const words = formatTableTimeYear(hourMs)
  return dayOf(hourMs) === dayOf(nowMs) ? `Today${words.slice(words.indexOf(','))}` : words
}

const isFillOf = (one: Notification, other: Notification): boolean =>
  one.kind === 'fill' && other.kind === 'fill' && one.bot !== null && one.bot.id === other.bot?.id

/**
 * By hour, the newest first; the fills that a bot made in an hour are one item, and so are those of more hours of a day
 * where nothing else happened between.
 */
export function groupsOf(notifications: readonly Notification[]): HourGroup[] {
  const groups: { hourMs: number; items: [Notification, ...Notification[]][] }[] = []
  for (const one of notifications) {
    const hourMs = Math.floor(happenedAt(one) / HOUR_MS) * HOUR_MS
    const last = groups.at(-1)
    const same = last?.items.find(([first]) => isFillOf(first, one))
    const isAlone = last?.items.length === 1 && dayOf(last.hourMs) === dayOf(hourMs)
    if (same !== undefined && (last!.hourMs === hourMs || isAlone)) same.push(one)
    else if (last?.hourMs === hourMs) last.items.push([one])
    else groups.push({ hourMs, items: [[one]] })
  }
  return groups
}

import type { AlertRule } from '@shapecast/contracts/alerts'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type AlertLevel, crosses, hasRested } from '@shapecast/engine/alert-crossing'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { notify } from '@shapecast/platform/notify'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { CandleSource } from '../market/series-market.ts'
import { candlesFor, conditionAt, conditionRule } from './alert-condition.ts'
import { RESTORED_FOR_MS } from './alert-service.ts'
import { aboutOf, ringWords } from './alert-words.ts'
import { type AlertRow, alerts } from './tables.ts'

/** How far a bot is, as alerts look at it. */
export interface WatchedBot {
  readonly userId: string
  readonly name: string
  readonly isActive: boolean
  /** Equity now, and its highest so far, quote; null where no price says so. */
  readonly equity: number | null
  readonly peak: number
  readonly timeframe: Timeframe
  /** Open time of the last candle that it decided, ms. */
  readonly decidedTs: number
}

export interface WatchDeps {
  db: Database
  venue: string
  candles: CandleSource
  /** The last price, quote per base. Throws where there is none. */
  price(symbol: string): Promise<number>
  /** What the current model says at the last close; null where it says nothing. */
  signal(symbol: string, timeframe: Timeframe): Promise<string | null>
  watchedBot(id: string): Promise<WatchedBot | null>
  /** The market's clock, ms; null where it has none yet. */
  marketNow(): Promise<number | null>
  log: Logger
  now(): number
}

interface Measured {
  /** Null where nothing can be said. */
  readonly value: number | null
  readonly lookedTs?: number
}

const MINUTE_MS = 60_000
const NOTHING: Measured = { value: null }

/** What is passed when an alert rings: of what is true or not, 1. */
export function levelOf(rule: AlertRule): AlertLevel {
  switch (rule.kind) {
    case 'price':
      return { level: rule.price, direction: rule.direction }
    case 'drawdown':
      return { level: rule.pct, direction: 'above' }
    case 'bot_silent':
    case 'feed_silent':
      return { level: rule.minutes, direction: 'above' }
    case 'indicator':
    case 'signal':
      return { level: 1, direction: 'above' }
    default:
      return rule satisfies never
  }
}

/** Minutes since a candle should have been there after the one that opened at `ts`. */
const minutesPast = (ts: number, timeframe: Timeframe, nowMs: number): number =>
  Math.max(0, (nowMs - ts - 2 * TIMEFRAME_MS[timeframe]) / MINUTE_MS)

/** The value that an alert's level is held against. */
async function measure(deps: WatchDeps, { rule, lookedTs, userId }: AlertRow): Promise<Measured> {
  const { candles, marketNow } = deps
  switch (rule.kind) {
    case 'price':
      return { value: await deps.price(rule.symbol) }
    case 'indicator':
    case 'signal': {
      const { symbol, timeframe } = rule
      const last = (await candles.load(symbol, timeframe, { limit: 1 })).ts.at(-1)
      // At closes: the same candle says the same again.
      if (last === undefined || last === lookedTs) return NOTHING
      if (rule.kind === 'signal')
        return { value: Number((await deps.signal(symbol, timeframe)) === rule.signal), lookedTs: last }
      const condition = conditionRule(rule.condition)
      const loaded = await candles.load(symbol, timeframe, { limit: candlesFor(condition) })
      return { value: conditionAt(condition, { candles: loaded, timeframe }), lookedTs: last }
    }
    case 'drawdown': {
      const bot = await deps.watchedBot(rule.botId)
      if (bot === null || bot.userId !== userId || bot.equity === null || !(bot.peak > 0)) return NOTHING
      const highest = Math.max(bot.peak, bot.equity)
      return { value: (100 * (highest - bot.equity)) / highest }
    }
    case 'bot_silent': {
      const [bot, nowMs] = [await deps.watchedBot(rule.botId), await marketNow()]
      if (bot === null || bot.userId !== userId || nowMs === null) return NOTHING
      return { value: bot.isActive ? minutesPast(bot.decidedTs, bot.timeframe, nowMs) : 0 }
    }
    case 'feed_silent': {
      const nowMs = await marketNow()
      const last = (await candles.load(rule.symbol, rule.timeframe, { limit: 1 })).ts.at(-1)
      return nowMs === null || last === undefined ? NOTHING : { value: minutesPast(last, rule.timeframe, nowMs) }
    }
    default:
      return rule satisfies never
  }
}

const linkOf = (rule: AlertRule): string => ('botId' in rule ? `/trading?bot=${rule.botId}` : '/settings/alerts')

/** Writes down what was measured, and with it, once, that the alert rang. */
async function write(deps: WatchDeps, row: AlertRow, { value, lookedTs }: Measured): Promise<void> {
  const { db, now } = deps
  if (value === null || (value === row.lastValue && (lookedTs ?? null) === row.lookedTs)) return
  const rings = crosses(levelOf(row.rule), row.lastValue, value) && hasRested(row.rangAtMs, row.restMinutes, now())
  await db.orm.transaction(async (tx) => {
    const written = await tx
      .update(alerts)
      .set({
        lastValue: value,
        lookedTs: lookedTs ?? null,
        ...(rings && { rangAtMs: now(), timesRung: sql`${alerts.timesRung} + 1` }),
      })
      // A change made meanwhile lets it begin again, and another worker has written this down already.
      .where(
        and(
          eq(alerts.id, row.id),
          eq(alerts.isOn, true),
          isNull(alerts.deletedAtMs),
          sql`${alerts.lastValue} is not distinct from ${row.lastValue}::float8`,
          sql`${alerts.rule} = ${JSON.stringify(row.rule)}::jsonb`,
        ),
      )
      .returning({ id: alerts.id })
    if (written.length === 0 || !rings) return
    const bot = 'botId' in row.rule ? await deps.watchedBot(row.rule.botId) : null
    const words = ringWords(row.rule, value)
    await notify(
      tx,
      row.userId,
      {
        kind: 'alert',
        title: aboutOf(row.rule, bot?.name ?? ''),
        text: row.note === '' ? words : `${words} ${row.note}`,
        link: linkOf(row.rule),
      },
      now(),
    )
  })
}

/** Looks at every alert that is on, and rings those whose level was passed since the last look. One that cannot be measured keeps no other from it. */
export async function watchAlerts(deps: WatchDeps): Promise<void> {
  const { db, venue, log, now } = deps
  await db.orm.delete(alerts).where(lt(alerts.deletedAtMs, now() - RESTORED_FOR_MS))
  const rows = await db.orm
    .select()
    .from(alerts)
    .where(and(eq(alerts.venue, venue), alerts.isOn, isNull(alerts.deletedAtMs)))
  for (const row of rows)
    try {
      await write(deps, row, await measure(deps, row))
    } catch (error) {
      log.debug({ err: error, alert: row.id }, 'an alert could not be looked at')
    }
}

/** Series that alerts need to be followed: of prices the shortest. */
export async function seriesOfAlerts(
  orm: NodePgDatabase,
  venue: string,
): Promise<{ symbol: string; timeframe: Timeframe }[]> {
  const rows = await orm
    .select({ rule: alerts.rule })
    .from(alerts)
    .where(and(eq(alerts.venue, venue), alerts.isOn, isNull(alerts.deletedAtMs)))
  return rows.flatMap(({ rule }) =>
    'symbol' in rule ? [{ symbol: rule.symbol, timeframe: 'timeframe' in rule ? rule.timeframe : '1m' }] : [],
  )
}

import type { StreamTopic } from '@shapecast/contracts/stream'
import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Orm } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { and, desc, eq, gt, lt } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { seriesUse } from './tables.ts'

/** What the feed follows: candles of a timeframe, or the price alone. */
export interface Followed {
  readonly symbol: string
  /** Null: the price only. */
  readonly timeframe: Timeframe | null
}

/** A series counts as looked at for so long after the last look. */
const USED_FOR_MS = 10 * 60_000
/** One look a series is written down in this time, however many people look. */
const WRITTEN_EVERY_MS = 60_000
const PRICE_ONLY = 'price'
const MOST_REMEMBERED = 5_000

/** Who looks at what is kept in the database, so that the process with the feed knows what the others show. */
export function createSeriesUse(deps: { orm: Orm; venue: string; log: Logger; now: () => number }) {
  const { orm, venue, log, now } = deps
  const written = new LRUCache<string, true>({
    max: MOST_REMEMBERED,
    ttl: WRITTEN_EVERY_MS,
    perf: { now },
    ttlResolution: 0,
  })

  /** Notes that somebody looks at a series. Does not wait, and never fails. */
  function touch(symbol: string, timeframe: Timeframe | null): void {
    const key = `${symbol} ${timeframe ?? PRICE_ONLY}`
    if (written.has(key)) return
    written.set(key, true)
    write(symbol, timeframe ?? PRICE_ONLY).catch((error: unknown) => {
      written.delete(key)
      log.warn({ err: error }, 'a look at a series could not be noted')
    })
  }

  async function write(symbol: string, timeframe: string): Promise<void> {
    const expiresAtMs = now() + USED_FOR_MS
    await orm
      .insert(seriesUse)
      .values({ venue, symbol, timeframe, expiresAtMs })
      .onConflictDoUpdate({ target: [seriesUse.venue, seriesUse.symbol, seriesUse.timeframe], set: { expiresAtMs } })
    await orm.delete(seriesUse).where(and(eq(seriesUse.venue, venue), lt(seriesUse.expiresAtMs, now())))
  }

  return {
    touch,
    touchTopics(topics: readonly StreamTopic[]): void {
      for (const topic of topics) {
        if (topic.kind === 'candle') touch(topic.symbol, topic.timeframe)
        if (topic.kind === 'ticker') touch(topic.symbol, null)
      }
    },
    /** What was looked at within the last ten minutes, the latest first, at most `most`. */
    async list(most: number): Promise<Followed[]> {
      const rows = await orm
        .select({ symbol: seriesUse.symbol, timeframe: seriesUse.timeframe })
        .from(seriesUse)
        .where(and(eq(seriesUse.venue, venue), gt(seriesUse.expiresAtMs, now())))
        .orderBy(desc(seriesUse.expiresAtMs), seriesUse.symbol)
        .limit(most)
      return rows.map(({ symbol, timeframe }) => ({
        symbol,
        timeframe: TIMEFRAMES.find((known) => known === timeframe) ?? null,
      }))
    },
  }
}

import { AppError } from '@shapecast/contracts/errors'
import type { Ticker } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import { isUnreachable } from '@shapecast/platform/database/unreachable'
import type { Logger } from '@shapecast/platform/logging'
import { candleOf } from '@shapecast/venues/ccxt/unconfirmed-candles'
import type { HeardCandle, LiveCandle, LiveVenue } from '@shapecast/venues/live-venue'
import { lastClosedOpen, rangeOf, type Venue } from '@shapecast/venues/venue'
import { LRUCache } from 'lru-cache'
import { createCache } from '../ground/cache.ts'
import { type CandleFiller, createCandleFiller } from './fill-candles.ts'
import type { Run } from './gaps.ts'
import { createKeptMarkets } from './kept-markets.ts'
import { type StoredSeries, seriesOfSymbol } from './series-store.ts'
import type { StoredCandles } from './stored-candles.ts'
import { candlesOf, type Written, writeCandles } from './write-candles.ts'

/** The stored series of one venue as its live follower reads and writes them. */
function createFollowedSeries(deps: { db: Database; venue: string; stored: StoredCandles; filler: CandleFiller }) {
  const { db, venue, stored, filler } = deps
  return {
    /** Open time of the newest stored candle, ms, or null. */
    async lastTs(symbol: string, timeframe: Timeframe): Promise<number | null> {
      return (await seriesOfSymbol(db.orm, venue, symbol)).find((s) => s.timeframe === timeframe)?.lastTs ?? null
    },
    /**
     * Stores closed candles, however often they come; those heard before what is stored are left out. Answers the open times
     * of those that were stored with other values: overwritten and announced by the store, or newer.
     */
    write: (
      symbol: string,
      timeframe: Timeframe,
      news: readonly HeardCandle[],
    ): Promise<Pick<Written, 'revised' | 'outdated'>> => {
      const candles = candlesOf(news.map(({ candle }) => candle))
      const heardMs = news.map((one) => one.heardMs)
      return writeCandles(db.pool, { venue, symbol, timeframe }, candles, heardMs)
    },
    /** Fetches what is missing of a range of open times: see `createCandleFiller`. */
    fill: filler.fill,
    /** Stored candles from an open time on, oldest first. */
    async since(symbol: string, timeframe: Timeframe, fromMs: number): Promise<LiveCandle[]> {
      const c = await stored.candles(venue, symbol, timeframe, { fromMs })
      return Array.from({ length: c.length }, (_, i) => candleOf(c, i))
    },
  }
}
type FollowedSeries = ReturnType<typeof createFollowedSeries>

/** An exchange with what we have stored of it. */
export interface LiveMarket extends Venue {
  readonly source: LiveVenue
  readonly filler: CandleFiller
  /** Its stored series, for those that follow them live. */
  readonly book: FollowedSeries
  /** When the venue told its markets, ms; null before. */
  marketsFetchedAtMs(): number | null
}

export interface LiveMarketDeps {
  readonly source: LiveVenue
  readonly db: Database
  readonly stored: StoredCandles
  readonly log: Logger
  readonly now: () => number
  /** The newest price of a symbol that the feed has announced; null without a recent one. */
  readonly latest?: ((symbol: string) => Ticker | null) | undefined
}

/** Most candles that one read fetches; a longer history is downloaded. */
const MOST_FILLED = 100_000
/** How long a reader waits for the venue: little where only the newest candles are missing. */
const PATIENCE_MS = 20_000
const SHORT_PATIENCE_MS = 3_000
const FEW_MISSING = 3
/** After a failure readers of that series get what is stored for so long. */
const REST_AFTER_FAILURE_MS = 5_000
const TICKER_KEPT_MS = 1_000

export const liveMarketOf = (venue: Venue): LiveMarket | null => ('source' in venue ? (venue as LiveMarket) : null)

/**
 * A real exchange as the market: reads serve the stored candles and fetch what is missing of them first; while the
 * venue does not answer they serve what is there.
 */
export function createLiveMarket(deps: LiveMarketDeps): LiveMarket {
  const { source, db, stored, log, now } = deps
  const filler = createCandleFiller({ db, stored, source, now })
  const markets = createKeptMarkets({ db, source, log, now })
  const failing = new LRUCache<string, true>({
    max: 1_000,
    ttl: REST_AFTER_FAILURE_MS,
    perf: { now },
    ttlResolution: 0,
  })
  const tickers = createCache<Ticker>({ max: 1_000, ttl: { ms: TICKER_KEPT_MS, now } })

  async function requireMarket(symbol: string): Promise<void> {
    if ((await markets.find(symbol)) === undefined)
      throw new AppError('unknown_symbol', `${source.name} has no market ${symbol}.`)
  }

  /** The symbol's series as they are stored, where nothing was missing of the range; else it was asked for. */
  async function complete(symbol: string, timeframe: Timeframe, range: Run): Promise<StoredSeries[] | undefined> {
    const key = `${symbol} ${timeframe}`
    const known = await seriesOfSymbol(db.orm, source.name, symbol)
    const missing = await filler.missing(symbol, timeframe, range, known)
    if (missing === 0) return known
    const inRange = (range.toMs - range.fromMs) / TIMEFRAME_MS[timeframe] + 1
    if (failing.has(key) && missing < inRange) return known
    const patience = missing <= FEW_MISSING && missing < inRange ? SHORT_PATIENCE_MS : PATIENCE_MS
    try {
      await filler.fill(symbol, timeframe, range, { signal: AbortSignal.timeout(patience) })
      failing.delete(key)
    } catch (cause) {
      // The venue has no part in it.
      if (isUnreachable(cause)) throw cause
      failing.set(key, true)
      if (cause instanceof AppError && cause.code === 'unknown_symbol') throw cause
      log.warn({ err: cause, symbol, timeframe, missing }, 'candles could not be completed')
      if (missing < inRange || (await stored.candles(source.name, symbol, timeframe, range)).length > 0)
        return undefined
      if (cause instanceof AppError) throw cause
      throw new AppError('venue_unreachable', `${source.name} does not answer. Try again in a moment.`, { cause })
    }
    return undefined
  }

  return {
    name: source.name,
    kind: 'live',
    source,
    filler,
    book: createFollowedSeries({ db, venue: source.name, stored, filler }),
    now: async () => source.clock(),
    markets: async () => [...(await markets.list())],
    marketsFetchedAtMs: markets.fetchedAtMs,

    async candles(symbol, timeframe, query) {
      await requireMarket(symbol)
      const step = TIMEFRAME_MS[timeframe]
      const lastOpenMs = lastClosedOpen(timeframe, source.clock())
      const range = rangeOf(query, lastOpenMs)
      const toMs = Math.floor(range.toMs / step) * step
      const bounded = Math.min(query.limit ?? MOST_FILLED, MOST_FILLED)
      const fromMs = Math.max(0, Math.ceil(range.fromMs / step) * step, toMs - (bounded - 1) * step)
      const wantsSome = query.limit !== undefined || query.fromMs !== undefined
      const known = wantsSome && fromMs <= toMs ? await complete(symbol, timeframe, { fromMs, toMs }) : undefined
      return stored.candles(source.name, symbol, timeframe, { ...query, toMs: range.toMs }, known)
    },

    async ticker(symbol) {
      await requireMarket(symbol)
      const announced = deps.latest?.(symbol) ?? null
      if (announced !== null) return announced
      return tickers.get(symbol, () => source.ticker(symbol))
    },
  }
}

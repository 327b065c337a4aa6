import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { LiveVenue } from '../live-venue.ts'
import { type CandleQuery, rangeOf } from '../venue.ts'
import type { ExchangeStreams } from './calls/exchange-calls.ts'
import { closedBound, joinedCandles, readPage } from './candle-pages.ts'
import { createCandleStreams } from './candle-streams.ts'
import { monitorConnections } from './connection-monitor.ts'
import { readHistory } from './history.ts'
import { createKnownMarkets, type MarketType } from './known-markets.ts'
import { readTicker } from './read-ticker.ts'
import type { StreamDeps } from './subscriptions.ts'
import { createTickerStreams } from './ticker-streams.ts'
import { createVenueAsker } from './venue-asker.ts'
import { createVenueClock } from './venue-clock.ts'

type Parsed = readonly (number | undefined)[]

interface ParsesCandles {
  readonly id: string
  parseOHLCV(row: unknown, market?: unknown): Parsed
  parseOHLCVs(rows: unknown, ...rest: unknown[]): Parsed[]
}

/**
 * Has an exchange of ccxt's hand on candle rows without a time, which it leaves out, as empty rows: they are candles
 * that exist, and no gap. An answer that is no list of rows, which it takes for an empty one, is `venue_unreachable`.
 */
function keepMalformedRows(exchange: object): void {
  const target = exchange as Partial<ParsesCandles>
  const parseOne = target.parseOHLCV?.bind(exchange)
  const parseAll = target.parseOHLCVs?.bind(exchange)
  if (parseOne === undefined || parseAll === undefined) return
  let timeless = 0
  target.parseOHLCV = (row, market) => {
    const parsed = typeof row === 'object' && row !== null ? parseOne(row, market) : []
    if (!((parsed[0] ?? 0) > 0)) timeless++
    return parsed
  }
  target.parseOHLCVs = (rows, ...rest) => {
    if (!Array.isArray(rows))
      throw new AppError('venue_unreachable', `${target.id} answered something that is no candles.`)
    timeless = 0
    const parsed = parseAll(rows, ...rest).filter(([ts]) => (ts ?? 0) > 0)
    return [...parsed, ...Array.from({ length: timeless }, () => [])]
  }
}

/** Without a limit or a start, so many candles instead of all since the exchange opened. */
const DEFAULT_LIMIT = 1000
const DEFAULT_SILENCE_MS = 60_000

export interface CcxtVenueDeps {
  /** Of ccxt, or a scripted one; nothing may have been watched on it yet. */
  readonly exchange: ExchangeStreams
  readonly marketType?: MarketType | undefined
  readonly now?: (() => number) | undefined
  /** A clock that nobody sets, ms from any beginning. */
  readonly steadyMs?: (() => number) | undefined
  readonly random?: (() => number) | undefined
  /** First wait after a failure, ms. */
  readonly firstWaitMs?: number | undefined
  /** A connection that is silent for so long is opened again, ms. */
  readonly silenceMs?: number | undefined
  /** Called for refused candles. */
  readonly warn?: ((text: string) => void) | undefined
  /** How long a closing message may be late before the history is asked, ms. */
  readonly confirmAfterMs?: number | undefined
}

/** The markets of one type at a real exchange: its history and prices over REST, its news over websockets. */
export function createCcxtVenue(deps: CcxtVenueDeps): LiveVenue {
  const { exchange, marketType = 'spot', random = Math.random, firstWaitMs = 250 } = deps
  const { silenceMs = DEFAULT_SILENCE_MS, confirmAfterMs = 1000 } = deps
  const { now = Date.now, steadyMs = () => performance.now(), warn = () => {} } = deps
  keepMalformedRows(exchange)
  const ask = createVenueAsker(exchange)
  const clock = createVenueClock({ exchange, ask, now, steadyMs })
  const markets = createKnownMarkets({ exchange, ask, now, type: marketType })

  const read: StreamDeps['read'] = async (id, timeframe, query) => {
    const { symbol } = await markets.of(id)
    await clock.measureOnce()
    const stepMs = TIMEFRAME_MS[timeframe]
    const bound = closedBound(timeframe, clock.now(), clock.reading())
    const { sinceMs, lastMs } = slotsOf(query, bound.lastMs, stepMs)
    const pages: Candles[] = []
    const askedMs = clock.passed()
    for (let next = sinceMs; next <= lastMs; ) {
      const page = await readPage(
        { exchange, ask, clock, warn },
        { symbol, timeframe },
        { sinceMs: next, lastMs, bound },
      )
      pages.push(page.candles)
      next = page.nextMs
    }
    return { candles: joinedCandles(pages), askedMs }
  }

  // Only where it is subscribed to does an exchange without a websocket side differ.
  const streams = { candles: exchange.has.watchOHLCV === true, ticker: exchange.has.watchTicker === true }
  const monitor = monitorConnections(exchange, () => performance.now())
  const streamDeps = {
    exchange,
    markets,
    monitor,
    settings: { random, firstWaitMs },
    now: clock.now,
    read,
    confirmAfterMs,
  }
  const candleStreams = createCandleStreams(streamDeps)
  const tickerStreams = createTickerStreams(streamDeps)
  let silenceTimer: NodeJS.Timeout | undefined
  const listening = (): void => {
    silenceTimer ??= setInterval(() => monitor.endSilent(performance.now(), silenceMs), silenceMs / 4).unref()
  }

  return {
    name: exchange.id,
    kind: 'live',
    streams,
    clock: clock.now,
    clockReading: clock.reading,
    measureClock: clock.measure,
    async now() {
      await clock.measureOnce()
      return clock.now()
    },
    markets: markets.all,
    refreshMarkets: markets.refresh,
    candles: async (symbol, timeframe, query) => (await read(symbol, timeframe, query)).candles,
    history: (query) => readHistory({ exchange, ask, markets, clock, random, warn, firstWaitMs }, query),

    ticker: (id) => readTicker({ exchange, markets, ask }, id, clock.now),

    async bookTop(id) {
      const market = await markets.of(id)
      const { bids, asks, timestamp } = await ask(() => exchange.fetchOrderBook(market.symbol, 5))
      const [bid, bidSize] = bids[0] ?? []
      const [askPrice, askSize] = asks[0] ?? []
      if (bid === undefined || bidSize === undefined || askPrice === undefined || askSize === undefined)
        throw new AppError('no_candles', `${exchange.id} has no bids or no asks for ${id}.`)
      return { symbol: id, bid, bidSize, ask: askPrice, askSize, timestampMs: timestamp ?? clock.now() }
    },

    subscribeCandles(symbol, timeframe, onCandle, onState) {
      if (!streams.candles) return () => {}
      listening()
      return candleStreams.subscribe(symbol, timeframe, onCandle, onState)
    },
    subscribeTicker(symbol, onTicker, onState) {
      if (!streams.ticker) return () => {}
      listening()
      return tickerStreams.subscribe(symbol, onTicker, onState)
    },
    websocket: () => ({ public: monitor.open, private: false }),
    async close() {
      clearInterval(silenceTimer)
      candleStreams.close()
      tickerStreams.close()
      await exchange.close()
    },
  }
}

/** A query as aligned open times, both ends included; past each other where nothing is asked for. */
function slotsOf(query: CandleQuery, lastClosedMs: number, stepMs: number): { sinceMs: number; lastMs: number } {
  const range = rangeOf(query, lastClosedMs)
  const lastMs = Math.floor(range.toMs / stepMs) * stepMs
  const limit = query.limit ?? (Number.isFinite(range.fromMs) ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT)
  const from = Math.max(range.fromMs, lastMs - (limit - 1) * stepMs)
  return { sinceMs: Math.max(0, Math.ceil(from / stepMs) * stepMs), lastMs }
}

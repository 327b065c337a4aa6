import { AppError } from '@shapecast/contracts/errors'
import type { Market } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { type CandleQuery, lastClosedOpen, type Venue } from '../venue.ts'
import { type ReplayPlan, replayTime } from './replay-clock.ts'

const QUOTES = ['USDT', 'USDC', 'FDUSD', 'BUSD', 'TUSD', 'DAI', 'USD', 'EUR', 'GBP', 'TRY', 'BTC', 'ETH', 'BNB']
const MOST_DECIMALS = 8
/** What Binance asks for on most of its spot markets in USDT. */
const USUAL_MIN_NOTIONAL = 5

/** Parts a symbol without a slash by the quote it ends with; the quote is empty where none is known. */
export function partsOf(symbol: string): { base: string; quote: string } {
  const quote = QUOTES.find((q) => symbol.endsWith(q) && symbol.length > q.length) ?? ''
  return { base: symbol.slice(0, symbol.length - quote.length), quote }
}

/** Decimals with which every value can be written, at most 8; 8 without values. */
export function decimalsOf(...columns: Float64Array[]): number {
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals++) {
    const scale = 10 ** decimals
    const fits = (value: number) => Math.abs(Math.round(value * scale) / scale - value) <= Math.abs(value) * 1e-12
    if (columns.every((column) => column.every(fits)) && columns.some((column) => column.length > 0)) return decimals
  }
  return MOST_DECIMALS
}

/**
 * A market as its imported candles show it: the tick and lot are the decimals that prices and volumes are written with,
 * which history does not say otherwise. The smallest order value is the usual one of Binance.
 */
function inferredMarket(symbol: string, recent: Candles): Market {
  const { base, quote } = partsOf(symbol)
  const step = (decimals: number) => Number((10 ** -decimals).toFixed(decimals))
  return {
    id: symbol,
    symbol: quote === '' ? symbol : `${base}/${quote}`,
    base,
    quote,
    active: true,
    tickSize: step(decimalsOf(recent.open, recent.high, recent.low, recent.close)),
    lotSize: step(decimalsOf(recent.volume)),
    minNotional: USUAL_MIN_NOTIONAL,
  }
}

/** One stored timeframe of a symbol; times are open times in ms. */
export interface HistorySeries {
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly lastTs: number
  readonly revision: number
}

/** The imported history that is replayed. */
export interface History {
  /** The series of a symbol, the smallest timeframe first; of every symbol where none is named. */
  series(symbol?: string): Promise<HistorySeries[]>
  candles(symbol: string, timeframe: Timeframe, query: CandleQuery): Promise<Candles>
}

const DAY_MS = 86_400_000
/** Candles from which tick and lot are inferred. */
const RECENT = 500

/**
 * Imported history as the market. Candles that close after the market's time are invisible in every answer, so bots and
 * models meet it as they would have met it then. Its symbols are those that have candles.
 */
export function createReplayVenue(deps: {
  name: string
  history: History
  plan: ReplayPlan
  now?: () => number
}): Venue {
  const { name, history, plan } = deps
  const now = deps.now ?? Date.now
  const known = new Map<string, { of: string; market: Market }>()

  const boundMs = (): number => replayTime(plan, now(), Number.POSITIVE_INFINITY)
  const seriesOf = async (symbol: string): Promise<HistorySeries[]> => {
    const series = await history.series(symbol)
    if (series.length > 0) return series
    throw new AppError('unknown_symbol', `There are no candles of ${symbol} on ${name}. Import some first.`)
  }
  const visible = (symbol: string, timeframe: Timeframe, query: CandleQuery): Promise<Candles> => {
    const lastOpenMs = lastClosedOpen(timeframe, boundMs())
    return history.candles(symbol, timeframe, { ...query, toMs: Math.min(query.toMs ?? lastOpenMs, lastOpenMs) })
  }
  const marketOf = async (series: HistorySeries): Promise<Market> => {
    const of = `${series.timeframe}/${series.revision}/${series.lastTs}`
    const found = known.get(series.symbol)
    if (found?.of === of) return found.market
    const recent = await history.candles(series.symbol, series.timeframe, { limit: RECENT })
    const market = inferredMarket(series.symbol, recent)
    known.set(series.symbol, { of, market })
    return market
  }

  return {
    name,
    kind: 'replay',
    speed: plan.speed,

    async now() {
      const all = await history.series()
      if (all.length === 0) return null
      return replayTime(plan, now(), Math.max(...all.map((s) => s.lastTs + TIMEFRAME_MS[s.timeframe])))
    },

    async markets() {
      const smallest = new Map<string, HistorySeries>()
      for (const series of await history.series()) if (!smallest.has(series.symbol)) smallest.set(series.symbol, series)
      return Promise.all([...smallest.values()].map(marketOf))
    },

    async candles(symbol, timeframe, query) {
      const found = await visible(symbol, timeframe, query)
      // Nothing in the range, or no such symbol.
      if (found.length === 0) await seriesOf(symbol)
      return found
    },

    async ticker(symbol) {
      const series = await seriesOf(symbol)
      const newest = await Promise.all(
        series.map(async ({ timeframe }) => ({ timeframe, candles: await visible(symbol, timeframe, { limit: 1 }) })),
      )
      const closeMs = (n: (typeof newest)[number]) => (n.candles.ts[0] ?? -1) + TIMEFRAME_MS[n.timeframe]
      const latest = newest.reduce((best, next) => (closeMs(next) > closeMs(best) ? next : best))
      const last = latest.candles.close[0]
      if (last === undefined)
        throw new AppError('no_candles', `The replay has not come to the first candle of ${symbol} yet.`)
      const dayBefore = latest.candles.ts[0]! - DAY_MS
      const earlier = await visible(symbol, latest.timeframe, { toMs: dayBefore, limit: 1 })
      // A price from before a long gap is no price of a day ago.
      const then = earlier.length === 1 && earlier.ts[0]! > dayBefore - DAY_MS ? earlier.close[0]! : null
      return {
        symbol,
        last,
        change: then === null ? null : last - then,
        percentage: then === null ? null : (last / then - 1) * 100,
        timestamp: closeMs(latest),
      }
    },
  }
}

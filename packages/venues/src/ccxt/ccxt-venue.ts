import { AppError } from '@shapecast/contracts/errors'
import type { Market } from '@shapecast/contracts/market'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { candlesFromRows } from '@shapecast/engine/candles'
import { lastClosedOpen, rangeOf, type Venue } from '../venue.ts'
import type { ExchangeCalls, ExchangeMarket } from './exchange-calls.ts'

const PAGE = 1000
/** Without a limit or a start nobody wants the candles since the exchange opened. */
const DEFAULT_LIMIT = 1000
const MARKETS_KEPT_MS = 15 * 60_000

/** Whether an error of the exchange means "not reachable now" or "no such symbol". */
export type FaultOf = (error: unknown) => 'unreachable' | 'unknown_symbol' | null

/**
 * The spot markets of a real exchange over its REST interface. Each read asks the exchange; nothing is stored here.
 */
export function createCcxtVenue(deps: { exchange: ExchangeCalls; faultOf: FaultOf; now?: () => number }): Venue {
  const { exchange, faultOf } = deps
  const now = deps.now ?? Date.now
  let kept: { at: number; markets: Promise<Map<string, ExchangeMarket>> } | undefined

  async function asking<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (cause) {
      const fault = faultOf(cause)
      if (fault === 'unreachable')
        throw new AppError('venue_unreachable', `${exchange.id} does not answer. Try again in a moment.`, { cause })
      if (fault === 'unknown_symbol')
        throw new AppError('unknown_symbol', `${exchange.id} has no such market.`, { cause })
      throw cause
    }
  }

  function marketsById(): Promise<Map<string, ExchangeMarket>> {
    if (kept !== undefined && now() - kept.at < MARKETS_KEPT_MS) return kept.markets
    const markets = asking(() => exchange.loadMarkets()).then(
      (all) => new Map(Object.values(all).flatMap((m) => (m.spot === true ? [[m.base + m.quote, m] as const] : []))),
    )
    const mine = { at: now(), markets }
    kept = mine
    // A failure is for those who asked; the next one asks again.
    markets.catch(() => {
      if (kept === mine) kept = undefined
    })
    return markets
  }

  async function marketOf(symbol: string): Promise<ExchangeMarket> {
    const market = (await marketsById()).get(symbol)
    if (market !== undefined) return market
    throw new AppError('unknown_symbol', `${exchange.id} has no spot market ${symbol}.`)
  }

  const stepOf = (precision: number | undefined): number =>
    precision === undefined
      ? 1e-8
      : exchange.precisionMode === 4
        ? precision
        : Number((10 ** -precision).toFixed(precision))

  return {
    name: exchange.id,
    kind: 'live',
    now: async () => now(),

    async markets() {
      const shown = ([id, m]: [string, ExchangeMarket]): Market => ({
        id,
        symbol: m.symbol,
        base: m.base,
        quote: m.quote,
        active: m.active !== false,
        tickSize: stepOf(m.precision.price),
        lotSize: stepOf(m.precision.amount),
        minNotional: m.limits.cost?.min ?? 0,
      })
      return [...(await marketsById())].filter(([id]) => /^[A-Z0-9]{2,30}$/.test(id)).map(shown)
    },

    async candles(symbol, timeframe, query) {
      const market = await marketOf(symbol)
      const step = TIMEFRAME_MS[timeframe]
      const range = rangeOf(query, lastClosedOpen(timeframe, now()))
      const last = Math.floor(range.toMs / step) * step
      const limit = query.limit ?? (Number.isFinite(range.fromMs) ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT)
      let since = Math.max(0, Math.ceil(Math.max(range.fromMs, last - (limit - 1) * step) / step) * step)
      const rows: number[][] = []
      while (since <= last) {
        const from = since
        const wanted = Math.min(PAGE, (last - from) / step + 1)
        const page = await asking(() => exchange.fetchOHLCV(market.symbol, timeframe, from, wanted))
        for (const row of page) {
          const candle = row.map(Number)
          const [ts] = candle
          if (ts === undefined || ts < since || ts > last || !candle.every(Number.isFinite)) continue
          rows.push(candle)
          since = ts + step
        }
        // Nothing new: the exchange has no more, or a gap as long as a page.
        if (since === from) since = page.length === 0 && wanted === PAGE ? from + PAGE * step : last + step
      }
      return candlesFromRows(rows)
    },

    async ticker(symbol) {
      const market = await marketOf(symbol)
      const { last, change, percentage, timestamp } = await asking(() => exchange.fetchTicker(market.symbol))
      if (last === undefined) throw new AppError('no_candles', `${exchange.id} has no price of ${symbol} yet.`)
      return { symbol, last, change: change ?? null, percentage: percentage ?? null, timestamp: timestamp ?? now() }
    },
  }
}

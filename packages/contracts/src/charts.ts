import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { Timeframe } from './timeframes.ts'

/** A series that somebody wants at hand. */
export const WatchedSeries = z.object({ symbol: SymbolId, timeframe: Timeframe })
export type WatchedSeries = z.infer<typeof WatchedSeries>

/** Quote per base. */
const Price = z.number('must be a price').positive('must be more than 0').max(1e12, 'must be at most 1,000,000,000,000')
/** Open time of a candle, ms; a trend line may end beyond the newest one. */
const At = z.number('must be a time in ms').int().min(0).max(253_402_300_799_999)
const Spot = z.object({ t: At, price: Price })

/** What somebody has drawn on a chart: a price, or a line through two spots that goes on to the right. */
export const ChartLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('level'), price: Price }),
  z
    .object({ kind: z.literal('trend'), from: Spot, to: Spot })
    .refine(({ from, to }) => from.t < to.t, { message: 'must end after it begins', path: ['to'] }),
])
export type ChartLine = z.infer<typeof ChartLine>

const MOST_SERIES = 30
const MOST_LINES = 50

export const Watchlist = z.object({
  series: z
    .array(WatchedSeries)
    .max(MOST_SERIES, `must have at most ${MOST_SERIES} series`)
    .refine((all) => new Set(all.map(({ symbol, timeframe }) => `${symbol} ${timeframe}`)).size === all.length, {
      message: 'must name each series once',
    }),
})

export const ChartLines = z.object({
  lines: z.array(ChartLine).max(MOST_LINES, `must have at most ${MOST_LINES} lines`),
})

const BySymbol = z.object({ symbol: SymbolId })

export const watchlist = tradingEndpoint('GET /api/charts/watchlist', {
  summary: 'The series that the caller keeps at hand, in their order.',
  reply: Watchlist,
})

export const keepWatchlist = tradingEndpoint('POST /api/charts/watchlist', {
  summary: 'Keep these series at hand, in place of those before.',
  touches: [watchlist],
  body: Watchlist,
  reply: Watchlist,
  errors: ['unknown_symbol'],
})

export const chartLines = tradingEndpoint('GET /api/charts/:symbol/lines', {
  summary: 'What the caller has drawn on the charts of a symbol.',
  params: BySymbol,
  reply: ChartLines,
})

export const keepChartLines = tradingEndpoint('POST /api/charts/:symbol/lines', {
  summary: 'Keep these lines on the charts of a symbol, in place of those before.',
  touches: [chartLines],
  params: BySymbol,
  body: ChartLines,
  reply: ChartLines,
  errors: ['unknown_symbol'],
})

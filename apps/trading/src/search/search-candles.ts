import { AppError } from '@shapecast/contracts/errors'
import type { SearchRequest } from '@shapecast/contracts/search'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, dailyCloses, sliceCandles } from '@shapecast/engine/candles'
import type { SeriesMarket } from '../market/series-market.ts'
import { orderOf, type SearchOrder } from './search-order.ts'

/** Fewer days say nothing about luck. */
const FEWEST_DAYS = 30

export type AskedCandles = Pick<SearchRequest, 'symbol' | 'timeframe' | 'from' | 'to' | 'limit'>

/** The candles of a search. Throws `no_candles`, `bad_input` where they are too many, and `unknown_symbol`. */
export async function searchCandles(market: SeriesMarket, asked: AskedCandles): Promise<Candles> {
  const { symbol, timeframe, from: fromMs, to: toMs, limit } = asked
  const candles = await market.load(symbol, timeframe, { fromMs, toMs, limit: fromMs === undefined ? limit : MOST + 1 })
  if (candles.length === 0)
    throw new AppError('no_candles', `No ${timeframe} candles of ${symbol} are stored in this range.`)
  if (candles.length > MOST)
    throw new AppError('bad_input', 'This range has more than 100,000 candles. Choose a shorter one.', {
      field: 'from',
    })
  return candles
}
const MOST = 100_000

/** The order of a request on the candles that there are now. Throws what `searchCandles`, `requireDays` and `orderOf` throw. */
export async function searchOrder(market: SeriesMarket, request: SearchRequest): Promise<SearchOrder> {
  const candles = await searchCandles(market, request)
  requireDays(candles, request.keptPct, request.timeframe)
  return orderOf(request, { fromMs: candles.ts[0]!, toMs: candles.ts.at(-1)! })
}

/** Where the kept part begins: the number of candles before it. */
export const keptFrom = (length: number, keptPct: number): number => Math.ceil((length * (100 - keptPct)) / 100)

/** Throws `too_few_candles` where the searched part has too few days. */
export function requireDays(candles: Candles, keptPct: number, timeframe: Timeframe): void {
  const days = dailyCloses(sliceCandles(candles, 0, keptFrom(candles.length, keptPct)), timeframe).length
  if (days <= FEWEST_DAYS)
    throw new AppError(
      'too_few_candles',
      `The searched part has ${days} daily closes; it must have more than ${FEWEST_DAYS}. Choose a longer range.`,
      { field: 'from' },
    )
}

/** A part of the candles as the API shows it; null where it has none. */
export const stretchOf = ({ ts }: Candles, from: number, to: number) =>
  from < to ? { from: ts[from]!, to: ts[to - 1]!, candles: to - from } : null

const MOST_POINTS = 500

export const rounded = (value: number): number => Number(value.toPrecision(6))

/** Indices at even steps by which a curve of so many values is drawn, with the last one and those of `also`. */
export function curveIndices(length: number, ...also: number[]): number[] {
  const every = Math.ceil(length / MOST_POINTS)
  return [...new Array(length).keys()].filter((i) => i % every === 0 || i === length - 1 || also.includes(i))
}

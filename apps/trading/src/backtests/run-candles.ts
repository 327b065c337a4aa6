import { AppError, orElse } from '@shapecast/contracts/errors'
import type { CandleRow } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import {
  CANDLE_COLUMNS,
  type Candles,
  candlesFromRows,
  emptyCandles,
  indexAtOrAfter,
  sliceCandles,
} from '@shapecast/engine/candles'
import { monthStart } from '@shapecast/engine/policies/universe'
import { rangeOf, selectCandles } from '@shapecast/venues/venue'
import type { SeriesMarket } from '../market/series-market.ts'
import type { BacktestOrder } from './backtest-order.ts'

export const NO_CANDLES = 'No OHLCV data available for selected symbol and timeframe'
const MOST_CANDLES = 1_000_000
const DAY_MS = 86_400_000

/** The candles of a run, and a way to the ones before it, which its forecasts start from. */
export interface RunCandles {
  readonly run: Candles
  readonly from: 'stored' | 'request'
  /** Up to `count` candles that come before the run. */
  before(count: number): Promise<Candles>
}

const sameCandles = (a: Candles, b: Candles): boolean =>
  a.length === b.length && CANDLE_COLUMNS.every((column) => a[column].every((value, i) => value === b[column][i]))

/** Throws `bad_input` that names the first row that is no candle or out of order. */
export function checkRows(rows: readonly CandleRow[], timeframe: Timeframe): void {
  const step = TIMEFRAME_MS[timeframe]
  for (let i = 0; i < rows.length; i++) {
    const [ts, open, high, low, close, volume] = rows[i]!
    const refuse = (what: string): never => {
      throw new AppError('bad_input', `ohlcv: row ${i} ${what}.`, { field: `ohlcv.${i}` })
    }
    if (!Number.isSafeInteger(ts) || ts < 0 || ts % step !== 0)
      refuse(`does not open on a whole ${timeframe} in ms UTC`)
    if (i > 0 && ts <= rows[i - 1]![0]) refuse('is not later than the one before it')
    if (!(low > 0 && volume >= 0)) refuse('has a price that is not positive, or a negative volume')
    if (low > Math.min(open, close) || high < Math.max(open, close))
      refuse('has an open or close outside of its low and high')
  }
}

const clip = (candles: Candles, { fromMs, toMs, limit }: BacktestOrder): Candles => {
  const bounded = fromMs !== undefined && toMs !== undefined
  return selectCandles(candles, rangeOf({ fromMs, toMs }), bounded ? undefined : limit)
}

/**
 * The candles that an order runs on. The caller's own are used where they differ from the stored ones; where they are
 * the same, the run is one on stored candles. Throws `no_candles`, `bad_input`.
 */
export async function runCandlesOf(order: BacktestOrder, market: SeriesMarket): Promise<RunCandles> {
  const { symbol, timeframe, fromMs, toMs, rows } = order
  if (rows !== undefined && rows.length > 0) {
    checkRows(rows, timeframe)
    const given = candlesFromRows(rows)
    const run = clip(given, order)
    if (run.length === 0) throw new AppError('no_candles', NO_CANDLES)
    const stored = await market
      .load(symbol, timeframe, { fromMs: run.ts[0], toMs: run.ts[run.length - 1] })
      .catch(orElse(emptyCandles(0), 'unknown_symbol'))
    if (sameCandles(stored, run)) return storedCandles(stored, order, market)
    const start = indexAtOrAfter(given, run.ts[0]!)
    return {
      run,
      from: 'request',
      before: async (count) => sliceCandles(given, Math.max(0, start - count), start),
    }
  }
  const bounded = fromMs !== undefined && toMs !== undefined
  const run = await market.load(symbol, timeframe, {
    fromMs,
    toMs,
    limit: bounded ? MOST_CANDLES + 1 : order.limit,
  })
  if (run.length === 0) throw new AppError('no_candles', NO_CANDLES)
  if (run.length > MOST_CANDLES)
    throw new AppError('bad_input', 'This range has more than 1,000,000 candles. Choose a shorter one.', {
      field: 'from',
    })
  return storedCandles(run, order, market)
}

const storedCandles = (run: Candles, { symbol, timeframe }: BacktestOrder, market: SeriesMarket): RunCandles => ({
  run,
  from: 'stored',
  before: (count) => market.load(symbol, timeframe, { toMs: run.ts[0]! - 1, limit: count }),
})

/** The range of a run whose pairs end at different times: up to the newest candle of any. */
export async function sharedRange(
  market: SeriesMarket,
  { timeframe, fromMs, toMs, limit }: BacktestOrder,
  symbols: readonly string[],
): Promise<{ fromMs: number; toMs: number }> {
  const newest = await Promise.all(
    symbols.map(async (symbol) => (await market.load(symbol, timeframe, { toMs, limit: 1 })).ts.at(-1) ?? 0),
  )
  const end = Math.max(...newest)
  if (fromMs !== undefined && toMs !== undefined) return { fromMs, toMs: end }
  return { fromMs: Math.max(0, fromMs ?? 0, end - (limit - 1) * TIMEFRAME_MS[timeframe]), toMs: end }
}

/** Candles of a pair that has none in a run: those by which it may be among the most traded when the run begins. */
export const rankedCandles = (
  market: SeriesMarket,
  symbol: string,
  timeframe: Timeframe,
  fromMs: number,
): Promise<Candles> => market.load(symbol, timeframe, { fromMs: monthStart(fromMs) - 31 * DAY_MS, toMs: fromMs - 1 })

import type { BacktestRun } from '@shapecast/contracts/backtest'
import { orElse } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS, TIMEFRAMES } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { SeriesMarket } from '../market/series-market.ts'

/** Eleven years of hours: a longer run is held against coarser candles. */
const MOST_HELD = 100_000

/** The candles of a saved run, to hold its coin beside it; null where they are not those of this market, or gone. */
export async function heldCandles(
  market: SeriesMarket,
  { venue, symbol, timeframe, startTime, endTime, meta }: BacktestRun,
): Promise<Candles | null> {
  if (venue !== market.venue || meta.candlesFrom !== 'stored') return null
  const finest = TIMEFRAMES.indexOf(timeframe)
  const fits = TIMEFRAMES.slice(finest).find((one) => (endTime - startTime) / TIMEFRAME_MS[one] < MOST_HELD) ?? '1d'
  // The candle in which it begins may have opened before.
  const range = { fromMs: startTime - TIMEFRAME_MS[fits] + 1, toMs: endTime }
  const candles = await market.load(symbol, fits, range).catch(orElse(null, 'unknown_symbol'))
  return candles === null || candles.length === 0 ? null : candles
}

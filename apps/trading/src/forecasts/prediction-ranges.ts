import type { RangeRow } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { CandleSource } from '../market/series-market.ts'
import type { OpenModel } from '../models/predictors.ts'
import type { SeriesName } from './forecast.ts'

/**
 * The 90 % range of the next close at each of the newest `limit` candles, oldest first, with the close that came; candles
 * without a forecast are left out. The last row is of the candle that has not closed yet.
 */
export async function predictionRanges(
  source: CandleSource,
  { symbol, timeframe }: SeriesName,
  { predictor }: OpenModel,
  limit: number,
): Promise<RangeRow[]> {
  const candles = await source.load(symbol, timeframe, { limit: limit + predictor.historyCandles })
  const from = Math.max(0, candles.length - limit)
  if (from >= candles.length) return []
  const made = await predictor.predict(candles, { from, to: candles.length })
  const { horizons, quantiles, quantilePrices } = made
  const price = (i: number, quantile: number) =>
    quantilePrices[(i - from) * horizons * quantiles.length + quantile] ?? Number.NaN
  const rows: RangeRow[] = []
  for (let i = from; i < candles.length; i++) {
    const [low, median, high] = [price(i, 0), price(i, quantiles.indexOf(0.5)), price(i, quantiles.length - 1)]
    if (Number.isNaN(low)) continue
    const time = candles.ts[i]! + TIMEFRAME_MS[timeframe]
    rows.push({ time, low, median, high, close: candles.ts[i + 1] === time ? candles.close[i + 1]! : null })
  }
  return rows
}

import type { Candles } from '@shapecast/engine/candles'
import { createCache } from '../ground/cache.ts'
import { candleCheck } from './candle-check.ts'

const MOST = 256

/** Forecasts at a series' last candle, kept until its candles change: many ask for the same one between two closes. */
export function createKeptForecasts<Forecast>() {
  const kept = createCache<Forecast>({ max: MOST })
  return {
    /** The forecast kept under `key` for just these candles, or else what `make` makes. */
    get: (key: string, candles: Candles, make: () => Promise<Forecast>): Promise<Forecast> =>
      kept.get(`${key}/${checkOf(candles)}`, make),
  }
}
export type KeptForecasts<Forecast> = ReturnType<typeof createKeptForecasts<Forecast>>

/** One number for all candles, in their order. */
function checkOf(candles: Candles): number {
  let sum = candles.length
  for (let i = 0; i < candles.length; i++) sum = (sum * 31 + candleCheck(candles, i)) % Number.MAX_SAFE_INTEGER
  return sum
}

import type { Candles } from '@shapecast/engine/candles'
import { candleCheck } from './candle-check.ts'

const MOST = 256

export interface KeptForecasts<Forecast> {
  /** The forecast kept under `key` for just these candles, or else what `make` makes. A failure is not kept. */
  get(key: string, candles: Candles, make: () => Promise<Forecast>): Promise<Forecast>
}

/** Forecasts at a series' last candle, kept until its candles change: many ask for the same one between two closes. */
export function createKeptForecasts<Forecast>(): KeptForecasts<Forecast> {
  const kept = new Map<string, { check: number; forecast: Promise<Forecast> }>()
  return {
    get(key, candles, make) {
      const check = checkOf(candles)
      const there = kept.get(key)
      if (there !== undefined && there.check === check) return there.forecast
      const forecast = make()
      kept.delete(key)
      kept.set(key, { check, forecast })
      if (kept.size > MOST) kept.delete(kept.keys().next().value!)
      forecast.catch(() => {
        if (kept.get(key)?.forecast === forecast) kept.delete(key)
      })
      return forecast
    },
  }
}

/** One number for all candles, in their order. */
function checkOf(candles: Candles): number {
  let sum = candles.length
  for (let i = 0; i < candles.length; i++) sum = (sum * 31 + candleCheck(candles, i)) % Number.MAX_SAFE_INTEGER
  return sum
}

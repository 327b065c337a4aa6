import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, emptyCandles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'

/** A seeded random walk with calm and wild stretches; opens at the close before. */
export function generatedCandles(
  length: number,
  options: { seed?: number; fromMs?: number; timeframe?: Timeframe } = {},
): Candles {
  const { seed = 1, fromMs = Date.UTC(2024, 0, 1), timeframe = '1h' } = options
  const random = createRandom(seed)
  const candles = emptyCandles(length)
  let price = 40_000
  let volatility = 0.004
  for (let i = 0; i < length; i++) {
    volatility = Math.exp(0.97 * Math.log(volatility) + 0.03 * Math.log(0.004) + 0.12 * (random.next() - 0.5))
    const open = price
    const close = open * Math.exp(volatility * 3.46 * (random.next() - 0.5))
    candles.ts[i] = fromMs + i * TIMEFRAME_MS[timeframe]
    candles.open[i] = open
    candles.close[i] = close
    candles.high[i] = Math.max(open, close) * (1 + volatility * random.next())
    candles.low[i] = Math.min(open, close) * (1 - volatility * random.next())
    candles.volume[i] = 10 * (1 + random.next())
    price = close
  }
  return candles
}

import { CANDLE_COLUMNS, type Candles, emptyCandles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'

export interface GeneratedMarket {
  candles: number
  seed: number
  timeframeMs?: number
  /** Share of a candle's return that carries over to the next: positive is momentum, 0 a random walk. */
  momentum?: number
  /** Standard deviation of the step that log volatility takes a candle (0.97 of it stays): 0 is a volatility that never changes. */
  clusters?: number
  /** Open time of the first candle, ms; 2024-01-01 where none is given. */
  startMs?: number
}

const VOLATILITY = 0.005
const STEPS = 4

/**
 * Candles of a market whose every property is known, for tests and measurements: normal returns with clusters of volatility
 * and, where asked for, momentum.
 */
export function generateCandles(market: GeneratedMarket): Candles {
  const {
    candles: n,
    seed,
    timeframeMs = 3_600_000,
    momentum = 0,
    clusters = 0.12,
    startMs = 1_704_067_200_000,
  } = market
  const random = createRandom(seed)
  const out = emptyCandles(n)
  let price = 20_000
  let logVolatility = 0
  let last = 0
  for (let i = 0; i < n; i++) {
    logVolatility = 0.97 * logVolatility + clusters * random.normal()
    const sigma = VOLATILITY * Math.exp(logVolatility)
    let [high, low, close] = [price, price, price]
    for (let step = 0; step < STEPS; step++) {
      close *= Math.exp((momentum * last) / STEPS + (sigma * random.normal()) / Math.sqrt(STEPS))
      high = Math.max(high, close)
      low = Math.min(low, close)
    }
    last = Math.log(close / price)
    out.ts[i] = startMs + i * timeframeMs
    out.open[i] = price
    out.high[i] = high
    out.low[i] = low
    out.close[i] = close
    out.volume[i] = 100 * Math.exp(0.5 * logVolatility + 0.3 * random.normal())
    price = close
  }
  return out
}

/** The candles without those of `from` … `to`−1: a hole in time. */
export function withoutCandles(candles: Candles, from: number, to: number): Candles {
  const out = emptyCandles(candles.length - (to - from))
  for (const column of CANDLE_COLUMNS) {
    out[column].set(candles[column].subarray(0, from))
    out[column].set(candles[column].subarray(to), from)
  }
  return out
}

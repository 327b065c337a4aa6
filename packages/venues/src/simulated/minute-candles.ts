import { type Candles, emptyCandles } from '@shapecast/engine/candles'
import type { SimulatedCoin } from './coins.ts'
import { noiseAt, streamOf, uniformOf } from './hash-noise.ts'
import { BLOCK, fillLogPath } from './log-path.ts'

const MINUTE_MS = 60_000
const MINUTES_A_DAY = 1440
/** Standard deviation of the whole market's log return over a minute: about 50 % a year. */
export const MARKET_SIGMA = 0.0007

/**
 * The one regularity that is planted: the logarithm of every price carries a wave of this amplitude with the day. It
 * rises from 18:00 to 06:00 UTC and falls from 06:00 to 18:00, by 2π/24 × amplitude = 0.026 % an hour at its steepest,
 * a twentieth of an hour's standard deviation. From its lowest to its highest point it makes 0.2 %, less than the
 * 0.22 % that a round trip costs with the default fee and slippage.
 */
export const DAILY_WAVE = 0.001
const WAVE = Float64Array.from(
  { length: MINUTES_A_DAY },
  (_, minute) => DAILY_WAVE * Math.sin((2 * Math.PI * minute) / MINUTES_A_DAY),
)

/** Volumes are whole multiples of this, so that sums of them are exact in whatever order. */
const VOLUME_STEP = 1 / 64

/** Levels of a coin's own noise beyond those of its path. */
const LEVEL = { high: 24, low: 25, volume: 26 } as const

/** Makes blocks of 1-minute candles of one coin: a pure function of (seed, coin, block). The columns are reused. */
export interface MinuteBlocks {
  /** The candles of the minutes [block × 1024, (block + 1) × 1024) since 1970. Valid until the next call. */
  block(block: number): Candles
}

/** Coins of one seed share the path of their market. */
export function createMinuteBlocks(seed: number, coin: SimulatedCoin): MinuteBlocks {
  const market = streamOf(seed, 'market')
  const own = streamOf(seed, coin.base)
  const candles = emptyCandles(BLOCK)
  const [marketPath, ownPath] = [new Float64Array(BLOCK + 1), new Float64Array(BLOCK + 1)]
  const [marketVolatility, ownVolatility] = [new Float64Array(BLOCK), new Float64Array(BLOCK)]
  const scale = 10 ** coin.decimals
  const logPrice = Math.log(coin.price)
  const marketPart = coin.beta * MARKET_SIGMA
  const usualSigma = Math.hypot(marketPart, coin.ownSigma)
  let made = -1

  const logAt = (minute: number, i: number): number =>
    logPrice + marketPart * marketPath[i]! + coin.ownSigma * ownPath[i]! + WAVE[minute % MINUTES_A_DAY]!
  const rounded = (price: number): number => Math.max(1, Math.round(price * scale)) / scale

  return {
    block(block) {
      if (block === made) return candles
      made = block
      fillLogPath(market, block, marketPath, marketVolatility)
      fillLogPath(own, block, ownPath, ownVolatility)
      const first = block * BLOCK
      let log = logAt(first, 0)
      let price = Math.exp(log)
      let shown = rounded(price)
      for (let i = 0; i < BLOCK; i++) {
        const minute = first + i
        const nextLog = logAt(minute + 1, i + 1)
        const nextPrice = Math.exp(nextLog)
        const next = rounded(nextPrice)
        const m = marketPart * marketVolatility[i]!
        const o = coin.ownSigma * ownVolatility[i]!
        const variance = m * m + o * o
        const move = nextLog - log
        const top = Math.max(price, nextPrice)
        const bottom = Math.min(price, nextPrice)
        candles.ts[i] = minute * MINUTE_MS
        candles.open[i] = shown
        candles.close[i] = next
        candles.high[i] = rounded(top * (1 + overshoot(move, variance, noiseAt(own, LEVEL.high, minute))))
        candles.low[i] = rounded(bottom * (1 - overshoot(move, variance, noiseAt(own, LEVEL.low, minute))))
        const busyness = Math.sqrt(variance) / usualSigma + Math.abs(move) / (2 * usualSigma)
        const volume = coin.volume * busyness * (0.3 + uniformOf(noiseAt(own, LEVEL.volume, minute)))
        candles.volume[i] = Math.max(1, Math.round(volume / VOLUME_STEP)) * VOLUME_STEP
        log = nextLog
        price = nextPrice
        shown = next
      }
      return candles
    },
  }
}

/**
 * How far the path goes beyond the farther one of its two ends within a minute: the maximum of a Brownian bridge, drawn
 * by inverting its distribution (P. Glasserman, "Monte Carlo Methods in Financial Engineering", 2004, section 6.4).
 */
function overshoot(move: number, variance: number, noise: number): number {
  const reach = Math.sqrt(move * move - 2 * variance * Math.log(uniformOf(noise)))
  return (reach - Math.abs(move)) / 2
}

import { AppError } from '@shapecast/contracts/errors'
import type { Market } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { CANDLE_COLUMNS, type Candles, emptyCandles } from '@shapecast/engine/candles'
import { lastClosedOpen, rangeOf, type Venue } from '../venue.ts'
import { SIMULATED_COINS, SIMULATED_MIN_NOTIONAL, SIMULATED_QUOTE, type SimulatedCoin } from './coins.ts'
import { createMinuteBlocks } from './minute-candles.ts'
import { simulatedCandles, simulatedOpenCandle, simulatedPrice } from './simulated-candles.ts'

/** `count` candles of a symbol and timeframe from the one that opens at `fromMs` (aligned) on. */
export type MakeCandles = (symbol: string, timeframe: Timeframe, fromMs: number, count: number) => Candles

const MINUTE_MS = 60_000
/** Made and kept together: some milliseconds of work. */
const CHUNK_MINUTES = 8_192
const LEAST_IN_CHUNK = 8
/** Of 48 bytes each: 19 MB. */
const MOST_KEPT = 400_000

/** The same candles, with the newest replies cached. The caller owns what it gets. */
export function keepCandles(make: MakeCandles, mostKept = MOST_KEPT): MakeCandles {
  // The one that was used longest ago comes first.
  const chunks = new Map<string, Candles>()
  let kept = 0

  function chunkOf(symbol: string, timeframe: Timeframe, size: number, index: number): Candles {
    const key = `${symbol} ${timeframe} ${index}`
    let chunk = chunks.get(key)
    if (chunk === undefined) {
      chunk = make(symbol, timeframe, index * size * TIMEFRAME_MS[timeframe], size)
      kept += size
    }
    chunks.delete(key)
    chunks.set(key, chunk)
    for (const [oldest, { length }] of chunks) {
      if (kept <= mostKept) break
      chunks.delete(oldest)
      kept -= length
    }
    return chunk
  }

  return (symbol, timeframe, fromMs, count) => {
    const step = TIMEFRAME_MS[timeframe]
    const size = Math.max(LEAST_IN_CHUNK, Math.floor((CHUNK_MINUTES * MINUTE_MS) / step))
    const out = emptyCandles(count)
    const first = fromMs / step
    for (let done = 0; done < count; ) {
      const at = first + done
      const chunk = chunkOf(symbol, timeframe, size, Math.floor(at / size))
      const from = at % size
      const taken = Math.min(size - from, count - done)
      for (const column of CANDLE_COLUMNS) out[column].set(chunk[column].subarray(from, from + taken), done)
      done += taken
    }
    return out
  }
}

/** The simulated market opened on this day: a whole day, hour and minute, so every timeframe begins with it. */
export const SIMULATED_SINCE_MS = Date.UTC(2020, 0, 1)
export const SIMULATED_SEED = 20_200_101
const DAY_MS = 86_400_000

const marketOf = (id: string, coin: SimulatedCoin): Market => ({
  id,
  symbol: `${coin.base}/${SIMULATED_QUOTE}`,
  base: coin.base,
  quote: SIMULATED_QUOTE,
  active: true,
  tickSize: Number((10 ** -coin.decimals).toFixed(coin.decimals)),
  lotSize: coin.lotSize,
  minNotional: SIMULATED_MIN_NOTIONAL,
})

/**
 * A made-up market that ticks in real time. Every candle and price is a function of the seed, the symbol and the
 * minute, so nothing is stored, and any process gives the same at any time. It knows its future; what is handed out
 * ends at `now` (ms).
 */
export function createSimulatedVenue(options: { now?: () => number; seed?: number } = {}): Venue {
  const now = options.now ?? Date.now
  const seed = options.seed ?? SIMULATED_SEED
  const coinOf = (symbol: string): SimulatedCoin => {
    const coin = SIMULATED_COINS.get(symbol)
    if (coin) return coin
    throw new AppError(
      'unknown_symbol',
      `The simulated market has no ${symbol}; it has ${[...SIMULATED_COINS.keys()].join(', ')}.`,
    )
  }

  const closed = keepCandles((symbol, timeframe, fromMs, count) =>
    simulatedCandles(createMinuteBlocks(seed, coinOf(symbol)), timeframe, fromMs, count),
  )

  return {
    name: 'simulated',
    kind: 'simulated',
    now: async () => now(),
    markets: async () => [...SIMULATED_COINS].map(([id, coin]) => marketOf(id, coin)),

    async candles(symbol, timeframe, query) {
      coinOf(symbol)
      const step = TIMEFRAME_MS[timeframe]
      const range = rangeOf(query, lastClosedOpen(timeframe, now()))
      const last = Math.floor(range.toMs / step) * step
      const earliest = Math.ceil(Math.max(range.fromMs, SIMULATED_SINCE_MS) / step) * step
      const inRange = Math.max(0, (last - earliest) / step + 1)
      const count = Math.min(inRange, query.limit ?? inRange)
      if (count === 0) return emptyCandles(0)
      return closed(symbol, timeframe, last - (count - 1) * step, count)
    },

    async openCandle(symbol, timeframe) {
      const coin = coinOf(symbol)
      return simulatedOpenCandle(createMinuteBlocks(seed, coin), timeframe, now(), coin.decimals)
    },

    async ticker(symbol) {
      const coin = coinOf(symbol)
      const timestamp = now()
      const minutes = createMinuteBlocks(seed, coin)
      const before = simulatedPrice(minutes, timestamp - DAY_MS, coin.decimals)
      const last = simulatedPrice(minutes, timestamp, coin.decimals)
      return { symbol, last, change: last - before, percentage: (last / before - 1) * 100, timestamp }
    },
  }
}

import { AppError } from '@shapecast/contracts/errors'
import type { Market } from '@shapecast/contracts/market'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { emptyCandles } from '@shapecast/engine/candles'
import { lastClosedOpen, rangeOf, type Venue } from '../venue.ts'
import { SIMULATED_COINS, SIMULATED_MIN_NOTIONAL, SIMULATED_QUOTE, type SimulatedCoin } from './coins.ts'
import { keepCandles } from './kept-candles.ts'
import { createMinuteBlocks } from './minute-candles.ts'
import { simulatedCandles, simulatedOpenCandle, simulatedPrice } from './simulated-candles.ts'

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

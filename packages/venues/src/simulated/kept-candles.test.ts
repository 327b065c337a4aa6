import { TIMEFRAME_MS, TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { rowsFromCandles } from '@shapecast/engine/candles'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SIMULATED_COINS } from './coins.ts'
import { createMinuteBlocks } from './minute-candles.ts'
import { simulatedCandles } from './simulated-candles.ts'
import { keepCandles, type MakeCandles, SIMULATED_SEED } from './simulated-venue.ts'

const HOUR = 3_600_000
const FROM = Date.UTC(2024, 0, 1)

function counted() {
  let made = 0
  const make: MakeCandles = (symbol, timeframe, fromMs, count) => {
    made += count
    return simulatedCandles(createMinuteBlocks(SIMULATED_SEED, SIMULATED_COINS.get(symbol)!), timeframe, fromMs, count)
  }
  return { make, made: () => made }
}

it('kept candles equal those made each time to the bit, whatever was asked for and kept before', () => {
  const { make } = counted()
  // Room for one or two of these chunks: most are made again.
  const kept = keepCandles(make, 1_000)
  const query = fc.record({
    symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT'),
    timeframe: fc.constantFrom(...TIMEFRAMES.filter((one) => one !== '1d')),
    offset: fc.integer({ min: 0, max: 500 }),
    count: fc.integer({ min: 1, max: 300 }),
  })
  fc.assert(
    fc.property(fc.array(query, { minLength: 1, maxLength: 4 }), (queries) => {
      for (const { symbol, timeframe, offset, count } of queries) {
        const fromMs = FROM + offset * TIMEFRAME_MS[timeframe]
        expect(kept(symbol, timeframe, fromMs, count)).toEqual(make(symbol, timeframe, fromMs, count))
      }
    }),
    { numRuns: 15 },
  )
})

it('makes what it has made again only where there was no room for it', () => {
  const { make, made } = counted()
  const kept = keepCandles(make, 1_100)
  const first = rowsFromCandles(kept('BTCUSDT', '1h', FROM, 1_000))
  const before = made()
  expect(before).toBeLessThan(1_000 + 2 * 136)
  for (let k = 0; k < 5; k++) kept('BTCUSDT', '1h', FROM + (500 - k) * HOUR, 400)
  expect(made()).toBe(before)
  kept('ETHUSDT', '1h', FROM, 1_000)
  expect(rowsFromCandles(kept('BTCUSDT', '1h', FROM, 1_000))).toEqual(first)
  expect(made()).toBe(3 * before)
})

it('each caller gets kept candles of its own', () => {
  const kept = keepCandles(counted().make)
  const mine = kept('BTCUSDT', '1h', FROM, 10)
  const close = mine.close[0]!
  mine.close.fill(0)
  expect(kept('BTCUSDT', '1h', FROM, 10).close[0]).toBe(close)
})

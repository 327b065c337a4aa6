import { expect, it } from 'vitest'
import { backtestSettings } from './backtest-settings.ts'
import { type Candles, candlesFromRows, sliceCandles } from './candles.ts'
import type { Fill } from './journal.ts'
import { runPortfolio } from './portfolio.ts'
import { createRandom } from './random.ts'
import { createRules } from './rules.ts'
import { createShareRuns, type SharePair } from './share-runs.ts'

const HOUR = 3_600_000

function walk(seed: number, length: number): Candles {
  const random = createRandom(seed)
  let price = 100
  const rows: number[][] = []
  for (let hour = 0; hour < length; hour++) {
    const open = price
    price *= Math.exp(0.02 * random.normal())
    if (random.next() < 0.05) continue
    rows.push([hour * HOUR, open, Math.max(open, price), Math.min(open, price), price, 1])
  }
  return candlesFromRows(rows)
}

function pairOf(seed: number, changes: { maxDrawdownPct: number; minNotional: number }): SharePair {
  const random = createRandom(seed + 100)
  const candles = walk(seed, 1500)
  const targets = Float64Array.from(candles.ts, (ts) =>
    (ts / HOUR) % 24 === 0 && random.next() < 0.9 ? random.below(5) / 10 : Number.NaN,
  )
  const settings = backtestSettings({
    market: 'spot',
    timeframe: '1h',
    initialBalance: 1000,
    leverage: 1,
    sizing: { kind: 'fixed', quantity: 1 },
    feeRate: 0.0006,
    slippageBps: 5,
    targetBand: 0.05,
    lotSize: 0.001,
    ...changes,
  })
  return { symbol: `S${seed}`, candles, targets, rules: createRules(settings) }
}

it.each([
  ['without a limit', { maxDrawdownPct: 100, minNotional: 0 }],
  ['with a limit that ends it', { maxDrawdownPct: 15, minNotional: 0 }],
  ['with a smallest order', { maxDrawdownPct: 100, minNotional: 120 }],
])('a run is that of runPortfolio to the bit, %s', (_name, changes) => {
  for (const seeds of [[1], [1, 2], [3, 4, 5]]) {
    const pairs = seeds.map((seed) => pairOf(seed, changes))
    const { times, run } = createShareRuns(pairs)
    const from = 300
    const fills: Fill[] = []
    const skips: string[] = []
    const journal = {
      fill: (fill: Fill) => void fills.push(fill),
      trade() {},
      skip: (reason: string) => void skips.push(reason),
      reduced() {},
      gap() {},
      funding() {},
    }
    const equity: number[] = []
    const portfolio = runPortfolio(
      1000,
      new Map(
        pairs.map(({ symbol, candles, targets, rules }) => {
          const first = candles.ts.findIndex((ts) => ts >= times[from]!)
          const run = { candles: sliceCandles(candles, first), decisions: targets.subarray(first), rules, journal }
          return [symbol, run] as const
        }),
      ),
      (value) => equity.push(value),
    )
    const mine = run(from, times.length, 1000)
    expect(mine.finalEquity).toBe(equity.at(-1))
    expect(mine.haltedAt).toBe(portfolio.haltedAt < 0 ? null : portfolio.haltedAt)
    expect(mine.orders).toBe(fills.length)
    expect(mine.tooSmall).toBe(skips.length)
    expect(mine.costs).toBeCloseTo(
      fills.reduce((sum, fill) => sum + fill.fee + Math.abs(fill.price - fill.rawPrice) * fill.quantity, 0),
      9,
    )
    let peak = 1000
    let deepest = 0
    for (const value of equity) {
      peak = Math.max(peak, value)
      deepest = Math.min(deepest, value / peak - 1)
    }
    expect(mine.maxDrawdownPct).toBe(-100 * deepest)
    expect(mine.orders).toBeGreaterThan(2)
    if (changes.maxDrawdownPct === 15 && seeds.length === 1) expect(mine.haltedAt).not.toBeNull()
    if (changes.minNotional > 0) expect(mine.tooSmall).toBeGreaterThan(0)
  }
})

it('holding buys equal parts at the next open: 1,000 in two coins at 100, one doubles, without costs 1,500', () => {
  const rules = createRules(
    backtestSettings({
      market: 'spot',
      timeframe: '1h',
      initialBalance: 1000,
      leverage: 1,
      sizing: { kind: 'fixed', quantity: 1 },
      targetBand: 0,
    }),
  )
  const coin = (symbol: string, prices: number[]): SharePair => ({
    symbol,
    candles: candlesFromRows(prices.map((price, k) => [k * HOUR, price, price, price, price, 1])),
    targets: new Float64Array(prices.length).fill(Number.NaN),
    rules,
  })
  const { run } = createShareRuns([coin('A', [100, 100, 50, 200]), coin('B', [100, 100, 100, 100])], true)
  expect(run(0, 4, 1000)).toMatchObject({ finalEquity: 1500, maxDrawdownPct: 25, orders: 2, haltedAt: null })
})

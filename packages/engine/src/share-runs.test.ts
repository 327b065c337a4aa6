import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type BacktestSettings, backtestSettings } from './backtest-settings.ts'
import { type Candles, candlesFromRows, indexAtOrAfter, sliceCandles } from './candles.ts'
import { drawdownsPct } from './indicators/drawdown.ts'
import type { Fill } from './journal.ts'
import { type GoneAt, runPortfolio } from './portfolio.ts'
import { postedOf } from './post-only.ts'
import { createRandom } from './random.ts'
import { createRules } from './rules.ts'
import { createShareRuns, type RunCloses, type SharePair } from './share-runs.ts'

const HOUR = 3_600_000

function walk(seed: number, length: number, stepMs: number): Candles {
  const random = createRandom(seed)
  let price = 100
  const rows: number[][] = []
  for (let k = 0; k < length; k++) {
    const open = price
    price *= Math.exp(0.02 * random.normal())
    if (random.next() < 0.05) continue
    rows.push([k * stepMs, open, Math.max(open, price), Math.min(open, price), price, 1])
  }
  return candlesFromRows(rows)
}

function pairOf(
  seed: number,
  changes: Pick<BacktestSettings, 'maxDrawdownPct' | 'minNotional' | 'timeframe'> &
    Pick<Partial<BacktestSettings>, 'postOnly'>,
): SharePair {
  const random = createRandom(seed + 100)
  const candles = walk(seed, 1500, TIMEFRAME_MS[changes.timeframe])
  const targets = Float64Array.from(candles.ts, (ts) =>
    (ts / HOUR) % 24 === 0 && random.next() < 0.9 ? random.below(5) / 10 : Number.NaN,
  )
  const settings = backtestSettings({
    market: 'spot',
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

const closesOf = (length: number): RunCloses => ({
  equity: new Float64Array(length),
  worth: new Float64Array(length),
})

/** The same by `runPortfolio`, from the decisions at the closes of time `from` to the close of time `to` − 1. */
function plainRun(pairs: readonly SharePair[], times: Float64Array, from: number, to: number, goneAt?: GoneAt) {
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
        const first = indexAtOrAfter(candles, times[from]!)
        const end = indexAtOrAfter(candles, times[to]!)
        const decisions = targets.subarray(first, end)
        return [symbol, { candles: sliceCandles(candles, first, end), decisions, rules, journal }] as const
      }),
    ),
    (value) => equity.push(value),
    undefined,
    goneAt,
  )
  return { portfolio, fills, skips, equity }
}

/** The same pair with its first `length` candles alone. */
const endedAt = (pair: SharePair, length: number): SharePair => ({
  ...pair,
  candles: sliceCandles(pair.candles, 0, length),
  targets: pair.targets.subarray(0, length),
})

/** At midnight, pairs without a candle for a day. */
const goneOf =
  (pairs: readonly SharePair[]): GoneAt =>
  (closeMs) =>
    closeMs % (24 * HOUR) === 0 ? pairs.map(({ candles }) => candles.ts.at(-1)! + 24 * HOUR < closeMs) : null

it('a run from any start to any end is that of runPortfolio to the bit', () => {
  let [halted, small, rested, sold] = [0, 0, 0, 0]
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(2, 8, 15, 100),
      fc.constantFrom(0, 120),
      fc.nat(700),
      fc.integer({ min: 30, max: 650 }),
      fc.option(fc.constantFrom('15m', '1h'), { nil: undefined }),
      fc.option(fc.integer({ min: 100, max: 600 }), { nil: undefined }),
      (seeds, maxDrawdownPct, minNotional, from, length, posts, dies) => {
        const costs = posts && { postOnly: { makerFeeRate: 0.0002, tickSize: 0.01 } }
        const pairs = seeds
          .map((seed) => pairOf(seed, { maxDrawdownPct, minNotional, timeframe: posts ?? '1h', ...costs }))
          .map((pair, k) => (k === 1 && dies !== undefined ? endedAt(pair, dies) : pair))
        const goneAt = dies === undefined ? undefined : goneOf(pairs)
        const { times, run } = createShareRuns(pairs, [], goneAt)
        const closes = closesOf(times.length)
        const mine = run(from, from + length, 1000, closes)
        const { portfolio, fills, skips, equity } = plainRun(pairs, times, from, from + length, goneAt)
        expect([...closes.equity.subarray(from, from + length)]).toEqual(equity)
        expect(mine.finalEquity).toBe(equity.at(-1))
        expect(mine.haltedAt).toBe(portfolio.haltedAt < 0 ? null : portfolio.haltedAt)
        expect(mine.orders).toBe(fills.length)
        expect(mine.tooSmall).toBe(skips.length)
        expect(mine.costs).toBe(
          fills.reduce(
            (sum, { fee, price, rawPrice, quantity }) => sum + (fee + Math.abs(price - rawPrice) * quantity),
            0,
          ),
        )
        expect(mine.maxDrawdownPct).toBe(Math.max(...drawdownsPct(equity, 1000)))
        expect(closes.worth[from + length - 1]).toBeCloseTo(
          portfolio.pairs.reduce((sum, { account, lastPrice }) => sum + account.size * lastPrice, 0),
          9,
        )
        expect({ posted: mine.posted }).toEqual({
          posted: undefined,
          ...postedOf(portfolio.pairs.map((pair) => pair.account)),
        })
        sold += fills.filter(({ exitReason }) => exitReason === 'no_candles').length
        if (mine.haltedAt !== null) halted++
        if ((mine.posted?.filled ?? 0) > 0) rested++
        if (mine.tooSmall > 0) small++
      },
    ),
    { numRuns: 90 },
  )
  expect(halted).toBeGreaterThan(5)
  expect(small).toBeGreaterThan(5)
  expect(rested).toBeGreaterThan(5)
  expect(sold).toBeGreaterThan(5)
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
  const { hold } = createShareRuns([coin('A', [100, 100, 50, 200]), coin('B', [100, 100, 100, 100])], [rules, rules])
  const made = hold(0, 4, 1000, closesOf(4))
  expect(made).toMatchObject({ finalEquity: 1500, maxDrawdownPct: 25, orders: 2, haltedAt: null })
})

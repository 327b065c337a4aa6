import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAccount } from './account.ts'
import { runBacktest } from './backtest.ts'
import { backtestSettings } from './backtest-settings.ts'
import { type Candles, candlesFromRows } from './candles.ts'
import type { EngineTrade, Fill, Journal } from './journal.ts'
import { createRandom } from './random.ts'
import { createRules } from './rules.ts'
import { step } from './step.ts'
import { HOUR, hourly, spot } from './testing/small-runs.ts'

const NONE = Number.NaN

/** Opens 100, 100, 200, 150, 150. */
const moving = hourly(
  [100, 100, 100, 100],
  [100, 200, 100, 200],
  [200, 200, 150, 150],
  [150, 150, 150, 150],
  [150, 150, 150, 150],
)

/** Steps through candles with the target of each close, and answers the account and its fills and trades. */
function walk(candles: Candles, targets: readonly number[], settings: Parameters<typeof spot>[0]) {
  const account = createAccount(1000)
  const rules = createRules(spot({ targetBand: 0.1, ...settings }))
  const fills: Fill[] = []
  const trades: EngineTrade[] = []
  const skipped: string[] = []
  const journal: Journal = {
    fill: (fill) => fills.push(fill),
    trade: (trade) => trades.push(trade),
    skip: (reason) => skipped.push(reason),
    reduced() {},
    gap() {},
    funding() {},
  }
  const equity = Array.from(candles.ts, (_, i) =>
    step({ account, rules, journal }, candles, i, i === 0 ? NONE : targets[i - 1]!),
  )
  return { account, fills, trades, skipped, equity }
}

describe('a target share of the equity, worked by hand', () => {
  it('half of 1000 at 100 buys 5; at 200 a half of 1500 is 3.75, so 1.25 are sold; at 150 all are', () => {
    const { fills, trades, equity, account } = walk(moving, [0.5, 0.5, 0, NONE], {})
    expect(fills.map(({ kind, price, quantity }) => [kind, price, quantity])).toEqual([
      ['entry', 100, 5],
      ['exit', 200, 1.25],
      ['exit', 150, 3.75],
    ])
    // 1.25 × 100 and 3.75 × 50, both bought at 100.
    expect(trades.map(({ netPnL, entryPrice, exitReason }) => [netPnL, entryPrice, exitReason])).toEqual([
      [125, 100, 'rebalance'],
      [187.5, 100, 'rebalance'],
    ])
    expect(equity).toEqual([1000, 1500, 1312.5, 1312.5, 1312.5])
    expect(account).toMatchObject({ side: 0, size: 0, entryFee: 0, margin: 0 })
  })

  it('adds at the average entry price: 2.5 at 100 and 3.4375 at 200 are 5.9375 at 157.89', () => {
    // At 200 the equity is 1250 and the share 0.4; 0.95 of 1250 is 1187.5, 687.5 more, 3.4375.
    const { account, fills } = walk(moving, [0.25, 0.95, NONE, NONE], {})
    expect(fills.map(({ quantity }) => quantity)).toEqual([2.5, 3.4375])
    expect(account.size).toBe(5.9375)
    expect(account.entryPrice).toBeCloseTo((2.5 * 100 + 3.4375 * 200) / 5.9375, 12)
  })

  it('leaves a target alone that lies less than a band away, but sells all at 0', () => {
    // At 200 the share of half is 2/3: 0.6 is nearer than 0.1.
    expect(walk(moving, [0.5, 0.6, NONE, NONE], {}).fills.length).toBe(1)
    expect(walk(moving, [0.5, 0.5666, NONE, NONE], {}).fills.length).toBe(2)
    expect(walk(moving, [0.05, 0, NONE, NONE], {}).fills.map(({ kind }) => kind)).toEqual(['entry', 'exit'])
  })

  it('buys no more than the cash carries with its costs: 1000 / (100 × 1.01 × 1.001)', () => {
    const { fills, account } = walk(moving, [1, NONE, NONE, NONE], { slippageBps: 100, feeRate: 0.001 })
    expect(fills[0]!.quantity).toBeCloseTo(1000 / (101 * 1.001), 12)
    expect(account.balance - account.size * account.entryPrice).toBeCloseTo(0, 9)
  })

  it('fees of the entry are shared out over what is sold: 1 % of 500, a quarter with the first part', () => {
    const { trades } = walk(moving, [0.5, 0.5, 0, NONE], { feeRate: 0.01, lotSize: 1.25 })
    expect(trades[0]!.quantity).toBe(1.25)
    expect(trades[0]!.fees).toBeCloseTo(5 / 4 + 1.25 * 200 * 0.01, 12)
    expect(trades[1]!.fees).toBeCloseTo((5 * 3) / 4 + 3.75 * 150 * 0.01, 12)
  })

  it('says why an order could not be made: a lot or a notional too small', () => {
    expect(walk(moving, [0.5, 0.5, NONE, NONE], { minNotional: 300 }).skipped).toEqual(['below_min_notional'])
    expect(walk(moving, [0.5, 0.5, NONE, NONE], { lotSize: 2.5 }).skipped).toEqual(['below_lot_size'])
  })

  it('a stop-loss follows the average entry price, and a stopped account buys again at the next target', () => {
    const { trades, fills } = walk(moving, [0.5, NONE, 0.5, NONE], { stopLossPct: 10 })
    expect(trades.map(({ exitReason }) => exitReason)).toEqual([])
    const fallen = hourly([100, 100, 100, 100], [100, 100, 80, 85], [85, 85, 85, 85], [85, 85, 85, 85])
    const stopped = walk(fallen, [0.5, 0.5, NONE, NONE], { stopLossPct: 10 })
    expect(stopped.trades.map(({ exitReason, exitPrice }) => [exitReason, exitPrice])).toEqual([['stop_loss', 90]])
    expect(stopped.fills.at(-1)).toMatchObject({ kind: 'entry', price: 85 })
    expect(fills.length).toBe(1)
  })
})

describe('invariants of targets', () => {
  const scenarios = fc
    .record({
      seed: fc.integer(),
      length: fc.integer({ min: 2, max: 100 }),
      wildness: fc.constantFrom(0.001, 0.02, 0.15),
      feeRate: fc.constantFrom(0, 0.0006, 0.02),
      slippageBps: fc.constantFrom(0, 5, 300),
      lotSize: fc.constantFrom(0, 0.001, 0.1),
      minNotional: fc.constantFrom(0, 10),
      targetBand: fc.constantFrom(0, 0.05, 0.15),
      stopLossPct: fc.constantFrom(0, 2),
      maxDrawdownPct: fc.constantFrom(20, 100),
    })
    .map(({ seed, length, wildness, ...settings }) => {
      const random = createRandom(seed)
      let close = 100
      const rows = Array.from({ length }, (_, i) => {
        const open = close
        close = open * Math.exp(wildness * random.normal())
        const high = Math.max(open, close) * Math.exp(wildness * random.next())
        const low = Math.min(open, close) * Math.exp(-wildness * random.next())
        return [i * HOUR, open, high, low, close, 1]
      })
      const targets = Float64Array.from(rows, () =>
        random.next() < 0.5 ? NONE : random.next() < 0.2 ? 0 : random.next(),
      )
      return { candles: candlesFromRows(rows), targets, settings }
    })

  it('cash and coins are those that the fills moved; cash is never below 0; trades add up to the equity', () =>
    fc.assert(
      fc.property(scenarios, ({ candles, targets, settings }) => {
        const given = backtestSettings({
          market: 'spot',
          timeframe: '1h',
          initialBalance: 1000,
          leverage: 1,
          sizing: { kind: 'fixed', quantity: 1 },
          ...settings,
        })
        const { account, fills, trades } = walk(candles, Array.from(targets), settings)
        let [cash, coins] = [1000, 0]
        for (const { kind, quantity, price, fee } of fills) {
          const bought = kind === 'entry' ? quantity : -quantity
          cash -= bought * price + fee
          coins += bought
          expect(cash).toBeGreaterThanOrEqual(-1e-9)
          expect(coins).toBeGreaterThanOrEqual(-1e-9)
        }
        expect(coins).toBeCloseTo(account.size, 9)
        expect(cash + account.size * account.entryPrice).toBeCloseTo(account.balance, 6)
        const result = runBacktest(candles, targets, given)
        expect(result.trades).toEqual(trades)
        const net = trades.reduce((sum, trade) => sum + trade.netPnL, 0) - account.entryFee
        expect(1000 + net).toBeCloseTo(account.balance, 6)
        const skip = (account.size * candles.close[candles.length - 1]!) / result.finalEquity
        expect(skip).toBeLessThanOrEqual(1 + 1e-9)
      }),
      { numRuns: 200 },
    ))
})

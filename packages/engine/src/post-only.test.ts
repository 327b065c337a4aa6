import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAccount } from './account.ts'
import { BacktestJournal } from './backtest.ts'
import type { Candles } from './candles.ts'
import type { Fill } from './journal.ts'
import { createRules } from './rules.ts'
import { step } from './step.ts'
import { HOUR, hourly, type Ohlc, spot } from './testing/small-runs.ts'

const NONE = Number.NaN
const postOnly = { makerFeeRate: 0.0002, tickSize: 0.01 }

/** Decides the targets at the closes of candles, from 1000 quote with a taker fee of 6 bps, 2 of a maker and 5 of slippage. */
function walk(candles: Candles, targets: readonly number[], given: Parameters<typeof spot>[0] = {}) {
  const account = createAccount(1000)
  const rules = createRules(spot({ targetBand: 0.1, feeRate: 0.0006, slippageBps: 5, postOnly, ...given }))
  const journal = new BacktestJournal()
  const fills: Fill[] = []
  journal.fill = (fill: Fill) => void fills.push(fill)
  for (let i = 0; i < candles.length; i++)
    step({ account, rules, journal }, candles, i, i === 0 ? NONE : targets[i - 1]!)
  return { account, fills, skips: journal.skips }
}

const flat: Ohlc = [100, 100, 100, 100]

describe('a rebalance that rests as a post-only order, worked by hand', () => {
  it('buys half of 1000 at the close of 100 where the next hour trades a tick through it, for 2 bps', () => {
    const { fills, account } = walk(hourly(flat, [100.1, 101, 99.99, 101]), [0.5, NONE])
    expect(fills).toMatchObject([{ kind: 'entry', price: 100, rawPrice: 100, quantity: 5, time: HOUR }])
    expect(fills[0]!.fee).toBeCloseTo(0.1, 12)
    // Taken at 100.1 with slippage: 5 × 100.15005 and a fee of 0.30045; at the limit 500 and 0.1.
    expect(account.posted).toMatchObject({ orders: 1, filled: 1, lost: 0 })
    expect(account.posted!.saved).toBeCloseTo(0.95070015, 9)
    expect(account.resting).toBeUndefined()
  })

  it('is not filled by a touch, and takes at the first open after its hour, with slippage and the fee of a taker', () => {
    const { fills, account } = walk(hourly(flat, [100.1, 101, 100, 101], [101, 102, 90, 101]), [0.5, NONE, NONE])
    expect(fills).toMatchObject([{ kind: 'entry', rawPrice: 101, quantity: 5, time: 2 * HOUR }])
    expect(fills[0]!.price).toBeCloseTo(101.0505, 9)
    // 5 × 101.0505 and a fee of 0.3031515 instead of 501.05070015 an hour before.
    expect(account.posted).toMatchObject({ orders: 1, filled: 0, saved: 0 })
    expect(account.posted!.lost).toBeCloseTo(4.50495135, 9)
  })

  it('sells all at the close, rounded up to a tick, where the hour trades a tick above it', () => {
    const rows: Ohlc[] = [flat, [100, 100, 99, 100.004], [100, 100.01, 100, 100], [100, 100.02, 100, 100]]
    const { fills, account } = walk(hourly(...rows), [0.5, 0, NONE, NONE])
    expect(fills.map(({ kind, price, time }) => [kind, price, time])).toEqual([
      ['entry', 100, HOUR],
      // 100.01 is a touch: it takes at 100 less 5 bps.
      ['exit', 99.95, 3 * HOUR],
    ])
    const through = walk(hourly(...rows.slice(0, 2), [100, 100.02, 100, 100]), [0.5, 0, NONE])
    expect(through.fills[1]).toMatchObject({ kind: 'exit', price: 100.01, time: 2 * HOUR })
    expect([account.size, through.account.size]).toEqual([0, 0])
  })

  it('rests for an hour of smaller candles, of which each may fill it', () => {
    const quarter = (hour: Candles): Candles => ({ ...hour, ts: hour.ts.map((ts) => ts / 4) })
    const up: Ohlc = [101, 102, 101, 101]
    const at = (k: number) =>
      walk(
        quarter(hourly(flat, ...Array.from({ length: 6 }, (_, i): Ohlc => (i === k ? [101, 101, 99, 101] : up)))),
        [0.5, NONE, NONE, NONE, NONE, NONE, NONE],
        { timeframe: '15m' },
      ).fills.map(({ price, time }) => [price, time / (HOUR / 4)])
    expect(at(0)).toEqual([[100, 1]])
    expect(at(3)).toEqual([[100, 4]])
    expect(at(4)).toEqual([[101 * 1.0005, 5]])
  })

  it('is taken back by the next decision, and by a drawdown limit that was reached', () => {
    const { fills } = walk(hourly(flat, [101, 101, 101, 101], [101, 101, 100, 101]), [0.5, 0.8, NONE])
    expect(fills).toMatchObject([{ price: 101, time: 2 * HOUR }])
    expect(fills[0]!.quantity).toBeCloseTo(800 / 101, 9)
    const halted = walk(
      hourly(flat, [100, 100, 99, 100], [100, 100, 40, 40], [40, 40, 30, 40], flat),
      [1, NONE, 0.2, NONE, NONE],
      { maxDrawdownPct: 50 },
    )
    expect(halted.fills.map(({ kind, exitReason }) => [kind, exitReason])).toEqual([
      ['entry', null],
      ['exit', 'max_drawdown'],
    ])
  })

  it('takes at once behind a gap, and where nothing is free it says so', () => {
    expect(walk(hourly(flat, [102, 102, 90, 102, 1]), [0.5, NONE]).fills).toMatchObject([
      { rawPrice: 102, time: 2 * HOUR },
    ])
    expect(walk(hourly(flat, flat), [0.5, NONE], { minNotional: 600 }).fills).toEqual([])
    expect([...walk(hourly(flat, [100, 100, 99, 100]), [0.5, NONE], { minNotional: 600 }).skips]).toEqual([
      ['below_min_notional', 1],
    ])
  })
})

it('never fills as a maker on less than a tick through, nor at another price than its limit', () =>
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.integer({ min: 500, max: 2_000_000 }),
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom(0.01, 0.1, 0.0001, 0.5),
      (buys, ticks, move, tickSize) => {
        const price = ticks * tickSize
        const reached = (ticks + move) * tickSize
        const range: Ohlc = [price, Math.max(price, reached), Math.min(price, reached), price]
        const still: Ohlc = [price, price, price, price]
        const given = { postOnly: { makerFeeRate: 0.0002, tickSize } }
        const { account, fills } = buys
          ? walk(hourly(still, range, still), [0.5, NONE, NONE], given)
          : walk(hourly(still, still, still, range, still), [0.5, NONE, 0, NONE, NONE], given)
        const isThrough = buys ? move <= -1 : move >= 1
        expect(account.posted!.filled).toBe(isThrough ? 1 : 0)
        const last = fills.at(-1)!
        expect(last.price / price).toBeCloseTo(isThrough ? 1 : buys ? 1.0005 : 0.9995, 12)
      },
    ),
  ))

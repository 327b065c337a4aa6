import { describe, expect, it } from 'vitest'
import { createAccount } from './account.ts'
import { runBacktest } from './backtest.ts'
import type { BacktestSettings } from './backtest-settings.ts'
import type { Candles } from './candles.ts'
import { SILENT } from './journal.ts'
import { floorToLot } from './models/sizing.ts'
import { closePosition } from './position.ts'
import { createRules } from './rules.ts'
import { step } from './step.ts'
import { decided, futures, HOUR, hourly, spot } from './testing/small-runs.ts'

/** Opens 100, 100, 110, 120 with nothing happening around them. */
const rising = hourly([100, 101, 99, 100], [100, 108, 99, 107], [110, 116, 109, 115], [120, 121, 119, 120])
const run = (candles: Candles, letters: string, settings: BacktestSettings) =>
  runBacktest(candles, decided(letters), settings)
const reasons = (candles: Candles, letters: string, settings: BacktestSettings) =>
  run(candles, letters, settings).trades.map((trade) => trade.exitReason)

describe('rule 1: a decision is filled at the next open, at a cost', () => {
  it('buys at 100, the open after the decision, and sells at 120, the open after CLOSE', () => {
    const { trades, equity } = run(rising, 'B.C.', futures())
    expect(trades).toEqual([
      {
        side: 'long',
        entryTime: HOUR,
        exitTime: 3 * HOUR,
        entryPrice: 100,
        exitPrice: 120,
        quantity: 1,
        grossPnL: 20,
        slippageCost: 0,
        fees: 0,
        funding: 0,
        netPnL: 20,
        exitReason: 'signal',
      },
    ])
    expect([...equity]).toEqual([1000, 1007, 1015, 1020])
  })
  it('slippage of 100 bps on both sides: in at 101, out at 118.8, 2.2 of slippage', () => {
    const trade = run(rising, 'B.C.', futures({ slippageBps: 100 })).trades[0]!
    expect(trade.entryPrice).toBe(101)
    expect(trade.exitPrice).toBeCloseTo(118.8, 12)
    expect(trade.slippageCost).toBeCloseTo(2.2, 12)
    expect(trade.grossPnL).toBe(20)
    expect(trade.netPnL).toBeCloseTo(17.8, 12)
  })
  it('slippage at the entry only: in at 101, out at 120', () => {
    const trade = run(rising, 'B.C.', futures({ slippageBps: 100, slippageSides: 'entry_only' })).trades[0]!
    expect([trade.entryPrice, trade.exitPrice, trade.slippageCost]).toEqual([101, 120, 1])
  })
  it('without slippage both fills are the opens', () => {
    const trade = run(rising, 'B.C.', futures({ slippageBps: 100, slippageSides: 'none' })).trades[0]!
    expect([trade.entryPrice, trade.exitPrice, trade.slippageCost]).toEqual([100, 120, 0])
  })
  it('slippage moves a short the other way: in at 99, out at 121.2', () => {
    const trade = run(rising, 'S.C.', futures({ slippageBps: 100 })).trades[0]!
    expect(trade.entryPrice).toBe(99)
    expect(trade.exitPrice).toBeCloseTo(121.2, 12)
    expect(trade.netPnL).toBeCloseTo(-22.2, 12)
  })
  it('a fee of 1 % takes 1 of 100 at the entry and 1.2 of 120 at the exit', () => {
    const { trades, equity } = run(rising, 'B.C.', futures({ feeRate: 0.01 }))
    expect(trades[0]!.fees).toBeCloseTo(2.2, 12)
    expect(trades[0]!.netPnL).toBeCloseTo(17.8, 12)
    expect([...equity].map((e) => Number(e.toFixed(9)))).toEqual([1000, 1006, 1014, 1017.8])
  })
  it('the decision of the last candle is counted and never filled', () => {
    const result = run(rising, '...B', futures())
    expect(result.entries).toBe(0)
    expect(result.signals).toEqual({ buy: 1, sell: 0, hold: 3, close: 0 })
    expect(run(rising, 'SCB.', futures()).signals).toEqual({ buy: 1, sell: 1, hold: 1, close: 1 })
  })
})

describe('rule 2: what the decisions do', () => {
  it('BUY while long and HOLD keep the position', () => expect(run(rising, 'BB..', futures()).entries).toBe(1))
  it('SELL turns a long into a short: two trades at the same open of 110', () => {
    const { trades, openPosition } = run(rising, 'BS..', futures())
    expect(trades[0]).toMatchObject({ side: 'long', exitPrice: 110, exitTime: 2 * HOUR, exitReason: 'reversal' })
    expect(openPosition).toMatchObject({ side: 'short', entryPrice: 110, entryTime: 2 * HOUR, unrealizedPnL: -10 })
  })
  it('BUY turns a short into a long', () => {
    const { trades, openPosition } = run(rising, 'SB..', futures())
    expect(trades[0]).toMatchObject({ side: 'short', netPnL: -10, exitReason: 'reversal' })
    expect(openPosition).toMatchObject({ side: 'long', entryPrice: 110, unrealizedPnL: 10 })
  })
  it('on spot SELL closes the long by a signal and opens nothing', () => {
    const { trades, openPosition, entries } = run(rising, 'BS..', spot())
    expect(trades[0]).toMatchObject({ netPnL: 10, exitReason: 'signal' })
    expect([openPosition, entries]).toEqual([null, 1])
  })
  it('on spot SELL without a position does nothing', () => {
    const result = run(rising, 'SSS.', spot())
    expect([result.entries, result.closes, result.skipped]).toEqual([0, 0, []])
  })
})

describe('rule 3: how large an entry is', () => {
  const quantityOf = (settings: BacktestSettings) => {
    const { trades, openPosition } = run(rising, 'B...', settings)
    return trades[0]?.quantity ?? openPosition?.quantity
  }
  it('1 as asked for', () => expect(quantityOf(futures())).toBe(1))
  it('a balance of 50 carries 0.5 at 100, and the result says that an entry was reduced', () => {
    expect(quantityOf(futures({ initialBalance: 50 }))).toBe(0.5)
    expect(run(rising, 'B...', futures({ initialBalance: 50 })).reducedEntries).toBe(1)
    expect(run(rising, 'B...', futures()).reducedEntries).toBe(0)
  })
  it('leverage 4 carries 2 with 50; spot ignores the leverage', () => {
    const sizing = { kind: 'fixed', quantity: 9 } as const
    expect(quantityOf(futures({ initialBalance: 50, leverage: 4, sizing }))).toBe(2)
    expect(quantityOf(spot({ initialBalance: 50, leverage: 4, sizing }))).toBe(0.5)
  })
  it('what the balance just carries is not reduced', () =>
    expect(run(rising, 'B...', futures({ initialBalance: 100 }))).toMatchObject({ entries: 1, reducedEntries: 0 }))
  it('the entry fee of 25 % has to fit too: 50 / (100 + 25) = 0.4', () =>
    expect(quantityOf(futures({ initialBalance: 50, feeRate: 0.25 }))).toBe(0.4))
  it('down to the lot: 0.5 in lots of 0.2 is 0.4, and 0.3 in lots of 0.1 stays 0.3', () => {
    expect(quantityOf(futures({ initialBalance: 50, lotSize: 0.2 }))).toBe(0.4)
    expect(quantityOf(futures({ sizing: { kind: 'fixed', quantity: 0.3 }, lotSize: 0.1 }))).toBe(0.3)
    expect(quantityOf(futures({ sizing: { kind: 'fixed', quantity: 0.3456 }, lotSize: 0.001 }))).toBeCloseTo(0.345, 12)
  })
  it('billions of lots stay as they are, and what is not whole is cut off', () => {
    expect(481_233_632.4 / 0.1).toBeLessThan(4_812_336_324)
    expect(floorToLot(481_233_632.4, 0.1)).toBe(481_233_632.4)
    expect(floorToLot(481_233_632.47, 0.1)).toBeCloseTo(481_233_632.4, 6)
    expect(floorToLot(98_765_432.19, 0.1)).toBeCloseTo(98_765_432.1, 6)
  })
  it('less than a lot is skipped with its reason', () => {
    const result = run(rising, 'BBB.', futures({ initialBalance: 50, lotSize: 1 }))
    expect(result.skipped).toEqual([{ reason: 'below_lot_size', count: 3 }])
    expect(result.entries).toBe(0)
  })
  it('a notional of 100 is below a minimum of 101 and not below one of 100', () => {
    const skipped = (minNotional: number) => run(rising, 'B...', futures({ minNotional })).skipped
    expect(skipped(101)).toEqual([{ reason: 'below_min_notional', count: 1 }])
    expect(skipped(100)).toEqual([])
  })
  it('40 % of an equity of 1000 with leverage 3 is a margin of 400: 12 at 100', () =>
    expect(quantityOf(futures({ leverage: 3, sizing: { kind: 'percent_of_equity', pct: 40 } }))).toBeCloseTo(12, 12))
  it('all of the equity, fee of 1 % at the open of 100 included, slippage 4 %: 1000 / (104 + 1)', () => {
    const settings = { feeRate: 0.01, slippageBps: 400, sizing: { kind: 'percent_of_equity', pct: 99 } } as const
    expect(quantityOf(spot(settings))).toBeCloseTo(990 / 105, 12)
  })
  it('250 of quote at 100 is 2.5', () =>
    expect(quantityOf(futures({ sizing: { kind: 'quote_amount', quote: 250 } }))).toBe(2.5))
  it('a volatility target waits for 30 returns, then takes equity × target / volatility', () => {
    const wobble = hourly(...Array.from({ length: 33 }, (_, i) => [100, 102, 99, i % 2 ? 101 : 100] as const))
    const settings = spot({ sizing: { kind: 'volatility_target', annualPct: 10 } })
    const early = run(wobble, `${'.'.repeat(29)}B...`, settings)
    expect(early.skipped).toEqual([{ reason: 'volatility_unknown', count: 1 }])
    const { openPosition } = run(wobble, `${'.'.repeat(30)}B..`, settings)
    // Returns alternate between +1 % and −1/101: σ an hour is about 0.995 %, √8766 hours a year: about 93 %.
    let squares = 0
    let weights = 0
    for (let k = 0; k < 30; k++) {
      const r = k % 2 === 0 ? -1 / 101 : 0.01
      squares += 0.97 ** k * r * r
      weights += 0.97 ** k
    }
    const annual = Math.sqrt((squares / weights) * 8766)
    expect(annual).toBeCloseTo(0.93, 2)
    expect(openPosition!.quantity).toBeCloseTo((1000 * 0.1) / annual / 100, 9)
    // A coin of half a cent swings as much: the same notional.
    const penny = hourly(...Array.from({ length: 33 }, (_, i) => [5e-3, 6e-3, 4e-3, i % 2 ? 5.05e-3 : 5e-3] as const))
    const small = run(penny, `${'.'.repeat(30)}B..`, settings).openPosition!
    expect(small.quantity * 5e-3).toBeCloseTo((1000 * 0.1) / annual, 6)
  })
})

describe('rule 4: take profit and stop loss', () => {
  const stops = futures({ takeProfitPct: 10, stopLossPct: 5 })
  const flat = [100, 101, 99, 100] as const
  const only = (candles: Candles, letters: string, settings: BacktestSettings) =>
    run(candles, letters, settings).trades[0]!
  it('a high of 110 takes the profit at 110, though the candle closes at 104', () =>
    expect(only(hourly(flat, flat, [100, 110, 99, 104]), 'B..', stops)).toMatchObject({
      exitPrice: 110,
      exitTime: 2 * HOUR,
      netPnL: 10,
      exitReason: 'take_profit',
    }))
  it('a low of 95 stops at 95', () =>
    expect(only(hourly(flat, flat, [100, 101, 95, 100]), 'B..', stops)).toMatchObject({
      exitPrice: 95,
      netPnL: -5,
      exitReason: 'stop_loss',
    }))
  it('a short of 100 is stopped at 105 and takes its profit at 90', () => {
    expect(only(hourly(flat, flat, [100, 105, 99, 100]), 'S..', stops)).toMatchObject({ netPnL: -5 })
    expect(only(hourly(flat, flat, [100, 101, 90, 95]), 'S..', stops)).toMatchObject({ netPnL: 10 })
  })
  it('where one candle reaches both, the stop comes first', () => {
    const wild = hourly(flat, flat, [100, 120, 80, 110])
    expect(only(wild, 'B..', stops)).toMatchObject({ exitPrice: 95, exitReason: 'stop_loss' })
    expect(only(wild, 'S..', stops)).toMatchObject({ exitPrice: 105, exitReason: 'stop_loss' })
  })
  it('they act on the candle of the entry already', () =>
    expect(only(hourly(flat, [100, 101, 94, 100]), 'B.', stops)).toMatchObject({ exitTime: HOUR, exitPrice: 95 }))
  it('a gap through the stop fills at the open of 80, through the target at the open of 130', () => {
    expect(only(hourly(flat, flat, [80, 99, 70, 90]), 'B..', stops)).toMatchObject({
      exitPrice: 80,
      exitReason: 'stop_loss',
    })
    expect(only(hourly(flat, flat, [130, 140, 90, 135]), 'B..', stops)).toMatchObject({
      exitPrice: 130,
      exitReason: 'take_profit',
    })
  })
  it('an open that lies on the target or the stop fills it there, before the decision of that open', () => {
    // SELL would turn the long around at 110 or 95: the order that rested there was first, and bars a new entry.
    for (const [open, exitReason] of [
      [110, 'take_profit'],
      [95, 'stop_loss'],
    ] as const) {
      const result = run(hourly(flat, flat, [open, open + 1, open - 1, open]), 'BS.', stops)
      expect(result.trades).toMatchObject([{ exitPrice: open, exitReason }])
      expect(result.skipped).toEqual([{ reason: 'same_bar_reentry', count: 1 }])
    }
  })
  it('slippage applies: 100 bps, in at 101, the stop at 95.95 fills at 94.9905', () => {
    const trade = only(hourly(flat, flat, [100, 101, 95, 100]), 'B..', futures({ stopLossPct: 5, slippageBps: 100 }))
    expect(trade.exitPrice).toBeCloseTo(94.9905, 10)
    expect(trade.slippageCost).toBeCloseTo(1 + 0.9595, 10)
  })
  it('a stop that the slippage of the entry has passed fills at the open, not at a price that never was', () => {
    // In at 101, stop at 100.798 while the market is at 100.
    const trade = only(hourly(flat, [100, 100.5, 99, 100]), 'B.', futures({ stopLossPct: 0.2, slippageBps: 100 }))
    expect(trade.exitPrice).toBe(99)
  })
  it('for a short too: in at 99, stop at 99.198 while the market is at 100, out at 101', () => {
    const trade = only(hourly(flat, [100, 100.5, 99, 100]), 'S.', futures({ stopLossPct: 0.2, slippageBps: 100 }))
    expect(trade.exitPrice).toBe(101)
  })
  it('no new entry at an open that has just stopped a position; without noSameBarReentry there is one', () => {
    const gapped = hourly(flat, flat, [80, 85, 79, 84], [84, 85, 83, 84])
    const guarded = run(gapped, 'BB..', stops)
    expect(guarded.skipped).toEqual([{ reason: 'same_bar_reentry', count: 1 }])
    expect(guarded.openPosition).toBeNull()
    const free = run(gapped, 'BB..', { ...stops, noSameBarReentry: false })
    expect(free.openPosition).toMatchObject({ entryPrice: 80, entryTime: 2 * HOUR })
  })
  it('the next candle may be entered again', () => {
    const result = run(hourly(flat, flat, [100, 101, 95, 96], [96, 97, 95, 96]), 'B.B.', stops)
    expect(result.openPosition).toMatchObject({ entryPrice: 96, entryTime: 3 * HOUR })
  })
})

describe('rule 5: futures margin, liquidation and funding', () => {
  const flat = [100, 101, 99, 100] as const
  const levered = futures({ initialBalance: 100, leverage: 10, sizing: { kind: 'fixed', quantity: 2 } })
  it('10× long at 100 is liquidated at (100 − 10) / 0.995 = 90.452 and loses its margin of 20', () => {
    const { trades, finalBalance } = run(hourly(flat, flat, [100, 101, 85, 100]), 'B..', levered)
    expect(trades[0]!.exitPrice).toBeCloseTo(90 / 0.995, 12)
    expect(trades[0]!.netPnL).toBeCloseTo(-20, 12)
    // What is left of the margin at that price, 0.5 % of the notional, is the venue's.
    expect(trades[0]!.fees).toBeCloseTo(2 * 0.005 * (90 / 0.995), 12)
    expect(trades[0]!.exitReason).toBe('liquidation')
    expect(finalBalance).toBeCloseTo(80, 12)
  })
  it('10× short at 100 is liquidated at 110 / 1.005', () => {
    const trade = run(hourly(flat, flat, [100, 115, 99, 100]), 'S..', levered).trades[0]!
    expect(trade.exitPrice).toBeCloseTo(110 / 1.005, 12)
    expect(trade.netPnL).toBeCloseTo(-20, 12)
  })
  it('the very price of the liquidation is enough, a price just short of it is not', () => {
    // Without maintenance a 10× long at 100 is gone at 90.
    const bare = { ...levered, maintenanceMarginRatio: 0, takeProfitPct: 10 }
    expect(reasons(hourly(flat, flat, [100, 101, 90, 100]), 'B..', bare)).toEqual(['liquidation'])
    expect(reasons(hourly(flat, flat, [100, 110, 90.5, 100]), 'B..', bare)).toEqual(['take_profit'])
    expect(reasons(hourly(flat, flat, [90, 101, 90, 100]), 'B..', bare)).toEqual(['liquidation'])
  })
  it('an open far beyond the liquidation price loses no more than the margin, even as a signal would close', () => {
    const { trades, finalBalance } = run(hourly(flat, flat, [50, 51, 49, 50]), 'BC.', levered)
    expect(trades[0]!.exitReason).toBe('liquidation')
    expect(finalBalance).toBeCloseTo(80, 12)
  })
  it('the fee of the entry is lost besides the margin', () =>
    expect(run(hourly(flat, flat, [50, 51, 49, 50]), 'B..', { ...levered, feeRate: 0.001 }).finalBalance).toBeCloseTo(
      100 - 0.2 - 20,
      12,
    ))
  it('a stop nearer than the liquidation acts first, one beyond it never', () => {
    const crash = hourly(flat, flat, [100, 101, 85, 100])
    expect(reasons(crash, 'B..', { ...levered, stopLossPct: 5 })).toEqual(['stop_loss'])
    expect(reasons(crash, 'B..', { ...levered, stopLossPct: 12 })).toEqual(['liquidation'])
  })
  it('without leverage a long is never liquidated, a short at 200 / 1.005', () => {
    const up = hourly(flat, flat, [100, 300, 100, 250])
    expect(reasons(hourly(flat, flat, [2, 3, 1, 2]), 'B..', futures())).toEqual([])
    expect(run(up, 'S..', futures()).trades[0]!.exitPrice).toBeCloseTo(200 / 1.005, 12)
    expect(reasons(up, 'B..', spot())).toEqual([])
  })
  it('a bad fill of a stop ends where the margin is gone', () => {
    const crash = hourly(flat, flat, [100, 101, 85, 100])
    const settings = { ...levered, stopLossPct: 9, slippageBps: 500, slippageSides: 'both_sides' } as const
    // In at 105, margin 10.5 a unit: gone at 94.5. The stop at 95.55 would slip to 90.77.
    expect(run(crash, 'B..', settings).trades[0]!.exitPrice).toBeCloseTo(94.5, 12)
    // A short in at 95: gone at 104.5. The stop at 103.55 would slip to 108.73.
    const rise = hourly(flat, flat, [100, 115, 99, 100])
    expect(run(rise, 'S..', settings).trades[0]!.exitPrice).toBeCloseTo(104.5, 12)
  })

  const rates = (ts: number[], rate: number[], known = [{ fromMs: 0, untilMs: 9 * HOUR }]) => ({
    ts: Float64Array.from(ts),
    rate: Float64Array.from(rate),
    mark: new Float64Array(ts.length).fill(Number.NaN),
    known,
  })
  const calm = hourly(flat, flat, flat, flat)
  it('a long of 2 pays 0.1 % of 200 at a positive rate, a short receives it', () => {
    const funding = rates([2 * HOUR], [0.001])
    const long = runBacktest(calm, decided('B.C.'), levered, funding)
    expect(long.trades[0]!.funding).toBeCloseTo(-0.2, 12)
    expect(long.trades[0]!.netPnL).toBeCloseTo(-0.2, 12)
    expect(runBacktest(calm, decided('S.C.'), levered, funding).trades[0]!.funding).toBeCloseTo(0.2, 12)
  })
  it('a rate that falls due at the open of the entry is not charged; at the open of the exit it is', () => {
    const at = (hour: number) =>
      runBacktest(calm, decided('B.C.'), levered, rates([hour * HOUR], [0.001])).trades[0]!.funding
    expect([at(1), at(3)]).toEqual([0, -0.2])
  })
  it('rates within one candle add up', () => {
    const funding = rates([1.2 * HOUR, 1.6 * HOUR], [0.001, 0.002])
    expect(runBacktest(calm, decided('B.C.'), levered, funding).trades[0]!.funding).toBeCloseTo(-0.6, 12)
  })
  it('funding that the free balance cannot pay eats the margin and brings the liquidation nearer', () => {
    const all = { ...levered, sizing: { kind: 'fixed', quantity: 10 } } as const
    // Margin 100 of 100: 5 % of 1000 takes 50, which leaves 5 a unit: liquidated at 95 / 0.995 = 95.48.
    const dip = hourly(flat, flat, flat, [100, 101, 95, 100])
    const { trades, finalBalance } = runBacktest(dip, decided('B...'), all, rates([2 * HOUR], [0.05]))
    expect(trades[0]!.exitPrice).toBeCloseTo(95 / 0.995, 12)
    expect(trades[0]!.funding).toBeCloseTo(-50, 12)
    expect(finalBalance).toBeCloseTo(0, 12)
    expect(reasons(dip, 'B...', all)).toEqual([])
  })
  it('nobody pays more funding than the balance holds, be it 100 or a tenth of 1', () => {
    for (const initialBalance of [100, 0.1]) {
      const all = { ...levered, initialBalance, sizing: { kind: 'fixed', quantity: initialBalance / 10 } } as const
      const result = runBacktest(calm, decided('B...'), all, rates([2 * HOUR], [0.5]))
      expect(result.trades[0]!.funding).toBeCloseTo(-initialBalance, 12)
      expect(result.finalBalance).toBeCloseTo(0, 12)
    }
  })
  it('nor a fee where nothing is left, and who has nothing cannot enter', () => {
    // All of 100 in 10 units at 100; the stop at 91 slips to where the margin is gone, 90.
    const all = { ...levered, sizing: { kind: 'fixed', quantity: 10 }, stopLossPct: 9 } as const
    const settings = { ...all, slippageBps: 200, slippageSides: 'both_sides', feeRate: 0.001 } as const
    const crash = hourly(flat, flat, [100, 101, 91, 92], flat, flat)
    const { finalBalance, trades } = run(crash, 'B....', settings)
    expect(trades[0]!.exitReason).toBe('stop_loss')
    expect(finalBalance).toBeCloseTo(0, 9)
    const free = { ...all, stopLossPct: 0, noSameBarReentry: false }
    const broke = run(hourly(flat, flat, [50, 51, 49, 50]), 'BB.', free)
    expect(broke.finalBalance).toBe(0)
    expect(broke.skipped).toEqual([{ reason: 'no_balance', count: 1 }])
  })
  it('where a fee takes all that is left, the balance is 0 to the bit, and never a rounding below', () => {
    const rules = createRules(futures({ leverage: 100, feeRate: 0.02 }))
    const held = { side: 1, size: 11.3, entryPrice: 100, entryRawPrice: 100, margin: 10 }
    // 2 % of 11.3 × 99.52 is 22.49, and 8.00 are left; 94 / 7 in binary ended 1.8e-15 below 0.
    const account = { ...createAccount(94 / 7), ...held }
    closePosition({ account, rules, journal: SILENT }, 99.52000000000001, 'signal', 0)
    expect(account.balance).toBe(0)
  })
  it('a fee takes no more than what is left: 8.33 of margin after the stop, where 15.17 were asked', () => {
    // 100 / (10 + 2) = 8.333 units; entry fee 16.67, margin 83.33, 75 lost at the stop of 91, 2 % of 758 is 15.17.
    const all = { ...levered, sizing: { kind: 'fixed', quantity: 99 }, feeRate: 0.02, stopLossPct: 9 } as const
    const result = run(hourly(flat, flat, [100, 101, 91, 100]), 'B..', all)
    expect(result.trades[0]).toMatchObject({ exitReason: 'stop_loss', exitPrice: 91 })
    expect(result.trades[0]!.fees).toBeCloseTo(100 / 6 + 100 / 12, 9)
    expect(result.finalBalance).toBeCloseTo(0, 9)
  })
  it('spot knows no funding', () =>
    expect(runBacktest(calm, decided('B.C.'), spot(), rates([2 * HOUR], [0.001])).trades[0]!.funding).toBe(0))
  it('charges nothing again that was due before the last candle', () => {
    const settings = futures()
    const account = createAccount(settings.initialBalance)
    const rules = createRules(settings, rates([0.5 * HOUR, HOUR, 2 * HOUR], [0.1, 0.2, 0.001]))
    const trader = { account, rules, journal: SILENT }
    step(trader, calm, 0, 0)
    step(trader, calm, 1, 1)
    step(trader, calm, 2, 0)
    expect(account.positionFunding).toBeCloseTo(-0.1, 12)
  })
  it('says for how much of the time in which something was held the rates were not known', () => {
    const assumed = (series: Parameters<typeof runBacktest>[3], of = 'B...', settings = levered) =>
      runBacktest(calm, decided(of), settings, series).fundingAssumed
    const until = (hour: number) => rates([], [], [{ fromMs: 0, untilMs: hour * HOUR }])
    // Held from 1 h to 3 h, the last open.
    expect([until(3), until(2), until(1)].map((series) => assumed(series))).toEqual([0, 0.5, 1])
    expect([assumed(until(1), 'BC..'), assumed(until(1), '....')]).toEqual([1, 0])
    expect([assumed(null), assumed(until(9), 'B...', spot())]).toEqual([null, null])
  })
})

describe('rule 6: the drawdown limit', () => {
  const fall = hourly(
    [100, 100, 100, 100],
    [100, 100, 100, 100],
    [100, 100, 90, 90],
    [95, 95, 95, 95],
    [99, 99, 99, 99],
  )
  const settings = spot({ initialBalance: 100, maxDrawdownPct: 10 })
  it('equity closes at 90 of a peak of 100: out at the next open of 95, and no entry after it', () => {
    const result = run(fall, 'B.BBB', settings)
    expect(result.haltedAt).toBe(2 * HOUR)
    expect(result.trades).toMatchObject([{ exitTime: 3 * HOUR, exitPrice: 95, exitReason: 'max_drawdown' }])
    expect(result.entries).toBe(1)
    expect([...result.equity]).toEqual([100, 100, 90, 95, 95])
  })
  it('keeps the first time, though the equity goes on falling until the position is out', () => {
    const deeper = hourly([100, 100, 100, 100], [100, 100, 100, 100], [100, 100, 90, 90], [80, 80, 80, 80])
    expect(run(deeper, 'B...', settings)).toMatchObject({ haltedAt: 2 * HOUR, finalBalance: 80 })
  })
  it('counts from the highest close so far: 180 of a peak of 200 is out, though 100 came in', () => {
    const hill = hourly(
      [100, 100, 100, 100],
      [100, 200, 100, 200],
      [200, 200, 181, 181],
      [181, 181, 180, 180],
      [180, 180, 180, 180],
    )
    const result = run(hill, 'B....', settings)
    expect(result.haltedAt).toBe(3 * HOUR)
    expect(result.trades).toMatchObject([{ exitTime: 4 * HOUR, exitPrice: 180, exitReason: 'max_drawdown' }])
  })
  it('10.1 % is not reached', () =>
    expect(run(fall, 'B....', { ...settings, maxDrawdownPct: 10.1 }).haltedAt).toBeNull())
})

describe('rule 7: gaps', () => {
  const gapped = hourly([100, 101, 99, 100], [100, 101, 99, 100], [90, 91, 89, 90, 3], [90, 91, 89, 90])
  it('a decision before three missing candles is filled at the open after them', () => {
    const { openPosition, gaps } = run(gapped, '.B..', futures())
    expect(openPosition).toMatchObject({ entryTime: 5 * HOUR, entryPrice: 90 })
    expect(gaps).toEqual({ count: 1, missingCandles: 3, list: [{ after: HOUR, missing: 3 }] })
  })
  it('a return over a gap does not count as a move of one candle', () => {
    const calmThenGap = (gap: number) =>
      hourly(
        ...Array.from({ length: 40 }, (_, i) => [100, 102, 99, i % 2 ? 101 : 100] as const),
        [150, 152, 149, 150, gap],
        [150, 152, 149, 150],
      )
    const quantityAfter = (gap: number) =>
      run(calmThenGap(gap), `${'.'.repeat(40)}B.`, spot({ sizing: { kind: 'volatility_target', annualPct: 5 } }))
        .openPosition!.quantity
    expect(quantityAfter(0)).toBeLessThan(quantityAfter(3) / 4)
  })
  it('a stop at 95 within the gap fills at the open of 90 after it', () =>
    expect(run(gapped, 'B...', futures({ stopLossPct: 5 })).trades[0]).toMatchObject({
      exitPrice: 90,
      exitTime: 5 * HOUR,
    }))
})

describe('rule 8: the mark', () => {
  it('an open position is marked at each close and reported at the end, not closed', () => {
    const result = run(rising, 'B...', futures({ feeRate: 0.01 }))
    expect([...result.equity]).toEqual([1000, 1006, 1014, 1019])
    expect(result.trades).toEqual([])
    expect(result.openPosition).toEqual({
      side: 'long',
      entryTime: HOUR,
      entryPrice: 100,
      quantity: 1,
      unrealizedPnL: 20,
      grossPnL: 20,
      fees: 1,
      slippageCost: 0,
      funding: 0,
    })
    expect([result.finalBalance, result.finalEquity]).toEqual([999, 1019])
  })
})

describe('what a backtest refuses', () => {
  it('no candles, decisions of another length, candles out of order', () => {
    expect(() => run(hourly(), '', futures())).toThrow(/no candles/)
    expect(() => run(rising, 'B', futures())).toThrow(/1 decisions for 4 candles/)
    const twice = hourly([100, 101, 99, 100], [100, 101, 99, 100])
    twice.ts[1] = 0
    expect(() => run(twice, '..', futures())).toThrow(/not later/)
  })
  it('settings that make no sense, with the name of the field', () => {
    expect(() => futures({ initialBalance: 0 })).toThrow(/initialBalance/)
    expect(() => futures({ leverage: 0.5 })).toThrow(/leverage/)
    expect(() => futures({ leverage: 100, maintenanceMarginRatio: 0.02 })).toThrow(/maintenanceMarginRatio/)
  })
})

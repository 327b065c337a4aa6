import { describe, expect, it } from 'vitest'
import { runBacktest } from './backtest.ts'
import { metricsOf, metricsOfRange } from './metrics.ts'
import { decided, futures, HOUR, hourly, spot } from './testing/small-runs.ts'

// Long from 100 to 110, then short from 110 to 120, then long from 120, open at 126.
const candles = hourly([100, 100, 100, 100], [100, 110, 100, 110], [110, 120, 110, 120], [120, 126, 120, 126])
const result = runBacktest(candles, decided('BSB.'), futures())

describe('metrics by hand: equity 1000, 1010, 1000, 1006', () => {
  const metrics = metricsOf(result, candles)
  it('the curve is that', () => expect([...result.equity]).toEqual([1000, 1010, 1000, 1006]))
  it('two trades closed, +10 and −10: half won, profit factor 1, 0 a trade', () =>
    expect(metrics).toMatchObject({ trades: 2, winRate: 50, profitFactor: 1, avgTradePnL: 0 }))
  it('the deepest fall is 10 of 1010', () => expect(metrics.maxDrawdownPct).toBeCloseTo(1000 / 1010, 12))
  it('0.6 % in total, while the price went from 100 to 126', () => {
    expect(metrics.totalReturnPct).toBeCloseTo(0.6, 12)
    expect(metrics.buyAndHoldReturnPct).toBeCloseTo(26, 12)
  })
  it('money: the open position counts, gross 6 without costs', () =>
    expect(metrics).toMatchObject({ grossPnL: 6, fees: 0, slippageCost: 0, funding: 0, netPnL: 6 }))
  it('sharpeLike is mean over sample deviation of the three returns, times √8766', () => {
    const returns = [0.01, -10 / 1010, 0.006]
    const mean = (returns[0]! + returns[1]! + returns[2]!) / 3
    const variance = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / 2
    expect(metrics.sharpeLike).toBeCloseTo((mean / Math.sqrt(variance)) * Math.sqrt(8766), 8)
  })
  it('costs told apart: 1 % fee and 100 bps on a long from 100 to 110', () => {
    const run = runBacktest(candles, decided('BC..'), futures({ feeRate: 0.01, slippageBps: 100 }))
    const m = metricsOf(run, candles)
    // In at 101, out at 108.9: gross 10, slippage 2.1, fees 1.01 + 1.089.
    expect(m.grossPnL).toBe(10)
    expect(m.slippageCost).toBeCloseTo(2.1, 12)
    expect(m.fees).toBeCloseTo(2.099, 12)
    expect(m.netPnL).toBeCloseTo(5.801, 12)
    expect(m.profitFactor).toBeNull()
    expect(m.winRate).toBe(100)
    expect(m.avgTradePnL).toBeCloseTo(5.801, 12)
  })
  it('two trades of +10 and −5 are 2.5 each, with a profit factor of 2', () => {
    const both = hourly([100, 100, 100, 100], [100, 110, 100, 110], [110, 115, 110, 115], [115, 115, 115, 115])
    const turned = metricsOf(runBacktest(both, decided('BSC.'), futures()), both)
    expect(turned).toMatchObject({ trades: 2, avgTradePnL: 2.5, profitFactor: 2, winRate: 50 })
  })
  it('costs of the open position count: 1 % fee and 1 of slippage on a long from 101', () => {
    const m = metricsOf(runBacktest(candles, decided('B...'), futures({ feeRate: 0.01, slippageBps: 100 })), candles)
    // Gross 26 at the last close of 126; the entry alone has cost 1 of slippage and 1.01 of fees.
    expect(m).toMatchObject({ trades: 0, grossPnL: 26, slippageCost: 1 })
    expect(m.fees).toBeCloseTo(1.01, 12)
    expect(m.netPnL).toBeCloseTo(23.99, 12)
  })
  it('funding is earned by who receives it: 1 % of 110, and 2 % of 120 where it is held on', () => {
    const rates = { ts: Float64Array.of(2, 3).map((k) => k * HOUR), rate: Float64Array.of(0.01, 0.02) }
    const mark = Float64Array.of(Number.NaN, Number.NaN)
    const funding = { ...rates, mark, known: [{ fromMs: 0, untilMs: 9 * HOUR }] }
    // Short from 100, closed at the open of 110 in candle 2, at which the first rate falls due.
    const closed = metricsOf(runBacktest(candles, decided('SC..'), futures(), funding), candles)
    expect(closed.funding).toBeCloseTo(1.1, 12)
    expect(closed.netPnL).toBeCloseTo(-10 + 1.1, 12)
    const open = metricsOf(runBacktest(candles, decided('S...'), futures(), funding), candles)
    expect(open.funding).toBeCloseTo(1.1 + 2.4, 12)
    expect(open.netPnL).toBeCloseTo(-26 + 3.5, 12)
  })
})

it('a trade that wins 10 before its costs of 2 × 6 % and loses after them is a lost one', () => {
  const run = runBacktest(candles, decided('BC..'), futures({ feeRate: 0.06 }))
  expect(run.trades[0]!.grossPnL).toBe(10)
  expect(metricsOf(run, candles)).toMatchObject({ winRate: 0, profitFactor: 0 })
})

describe('metrics of a part of a run', () => {
  it('a trade belongs to the part of its entry, the return to the candles of the part', () => {
    // The short is entered in candle 2 and closed in candle 3.
    const first = metricsOfRange(result, candles, 0, 3)
    const second = metricsOfRange(result, candles, 3, 4)
    expect(first).toMatchObject({ trades: 2, netPnL: 0, totalReturnPct: 0 })
    expect(second).toMatchObject({ trades: 0, winRate: null, avgTradePnL: null, profitFactor: null, netPnL: 6 })
    expect(second.totalReturnPct).toBeCloseTo(0.6, 12)
    expect(second.buyAndHoldReturnPct).toBeCloseTo(5, 12)
  })
  it('leaves a trade that is entered where the part ends to the next one', () => {
    expect(metricsOfRange(result, candles, 0, 2)).toMatchObject({ trades: 1, netPnL: 10 })
    expect(metricsOfRange(result, candles, 2, 4)).toMatchObject({ trades: 1, netPnL: -10 + 6 })
  })
  it('the drawdown starts from the close before the part, not from an older peak', () => {
    expect(metricsOfRange(result, candles, 3, 4).maxDrawdownPct).toBe(0)
    expect(metricsOfRange(result, candles, 2, 4).maxDrawdownPct).toBeCloseTo(1000 / 1010, 12)
  })
  it('the return of a part that starts with nothing left is 0', () => {
    // All of 100, ten times over, gone by the open of 50.
    const crash = hourly([100, 100, 100, 100], [100, 100, 100, 100], [50, 50, 50, 50], [50, 50, 50, 50])
    const all = futures({ initialBalance: 100, leverage: 10, sizing: { kind: 'fixed', quantity: 10 } })
    const run = runBacktest(crash, decided('B...'), all)
    expect(run.equity[2]).toBe(0)
    expect(metricsOfRange(run, crash, 3, 4)).toMatchObject({ totalReturnPct: 0, maxDrawdownPct: 0 })
  })
  it('a range outside the run is refused', () => {
    expect(() => metricsOfRange(result, candles, 2, 2)).toThrow(RangeError)
    expect(() => metricsOfRange(result, candles, 0, 5)).toThrow(RangeError)
  })
})

describe('what is undefined is null', () => {
  it('without trades there is no win rate, profit factor, average or sharpeLike', () =>
    expect(metricsOf(runBacktest(candles, decided('....'), spot()), candles)).toMatchObject({
      trades: 0,
      winRate: null,
      profitFactor: null,
      sharpeLike: null,
      avgTradePnL: null,
      maxDrawdownPct: 0,
      totalReturnPct: 0,
      netPnL: 0,
    }))
  it('two returns are enough for sharpeLike: 1 % and −5 of 1010', () => {
    const three = hourly([100, 100, 100, 100], [100, 110, 100, 110], [110, 110, 105, 105])
    const returns = [0.01, -5 / 1010]
    const mean = (returns[0]! + returns[1]!) / 2
    const deviation = Math.hypot(returns[0]! - mean, returns[1]! - mean)
    const { sharpeLike } = metricsOf(runBacktest(three, decided('B..'), futures()), three)
    expect(sharpeLike).toBeGreaterThan(0)
    expect(sharpeLike).toBeCloseTo((mean / deviation) * Math.sqrt(8766), 8)
  })
  it('a run of one candle', () => {
    const one = hourly([100, 101, 99, 100])
    expect(metricsOf(runBacktest(one, decided('B'), spot()), one).sharpeLike).toBeNull()
  })
  it('after everything is lost there is no sharpeLike to speak of, and nothing is NaN', () => {
    const crash = hourly(
      [100, 100, 100, 100],
      [100, 100, 100, 100],
      [40, 40, 40, 40],
      [40, 41, 40, 41],
      [40, 41, 40, 41],
    )
    const all = { kind: 'percent_of_equity', pct: 100 } as const
    const run = runBacktest(crash, decided('B....'), futures({ leverage: 10, sizing: all }))
    expect(run.trades[0]).toMatchObject({ exitReason: 'liquidation' })
    for (const m of [metricsOf(run, crash), metricsOfRange(run, crash, 3, 5)])
      for (const value of Object.values(m)) expect(value).not.toBeNaN()
    expect(metricsOf(run, crash).totalReturnPct).toBeCloseTo(-100, 9)
  })
})

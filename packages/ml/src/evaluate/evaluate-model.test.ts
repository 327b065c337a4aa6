import { candlesFromRows } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import { describe, expect, it } from 'vitest'
import type { Predictions } from '../forecast/predictions.ts'
import { evaluateModel } from './evaluate-model.ts'
import { pinballLoss } from './fan.ts'

const { BUY, SELL, HOLD } = DECISION
const near = (value: number, digits = 9) => expect.closeTo(value, digits)
const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95]
/** Forecast of log returns 1 and 2 candles ahead, the same at every candle but the second, of which nothing is said. */
const FAN: readonly (readonly number[])[] = [
  [-0.06, -0.03, 0, 0.03, 0.06],
  [-0.05, -0.02, 0, 0.02, 0.05],
]

const CLOSES = [100, 102, 101, 100, 104, 102, 108, 108, 100]
const candles = candlesFromRows(CLOSES.map((close, i) => [i * 3_600_000, close, close, close, close, 1]))
const ahead = (h: number) =>
  Float64Array.from(CLOSES, (close, i) => (i + h < CLOSES.length ? Math.log(CLOSES[i + h]! / close) : Number.NaN))
const returns = [ahead(1), ahead(2)]

/** Forecasts of candles 3 … 8, signal two candles ahead. */
const FROM = 3
const predictions = {
  from: FROM,
  to: CLOSES.length,
  pUp: Float64Array.of(0.6, Number.NaN, 0.4, 0.7, 0.55, 0.5),
  signal: Int8Array.of(BUY, HOLD, SELL, BUY, HOLD, HOLD),
  quantilePrices: Float64Array.from(
    CLOSES.slice(FROM).flatMap((close, k) => FAN.flat().map((q) => (k === 1 ? Number.NaN : close * Math.exp(q)))),
  ),
  horizons: 2,
  quantiles: QUANTILES,
} as unknown as Predictions

const found = evaluateModel({
  candles,
  predictions,
  rows: Int32Array.of(3, 4, 5, 6, 7, 8),
  returns,
  signalHorizon: 2,
  climatology: 0.5,
  majorityRises: true,
  baselines: { ewma: () => [0, 0, 0, 0, 0], historical: (h) => FAN[h]! },
  roundTripCostBps: 20,
})

describe('a model judged over candles 3 … 8, by hand', () => {
  it('is judged by the candles that it forecast and whose outcome two candles ahead is known: 3, 5 and 6', () => {
    // 100 → 102 rose, called up; 102 → 108 rose, called down; 108 → 100 fell, called up. Two candles before each the price
    // fell, rose and rose: the reversal rule calls up, down and down.
    expect(found.horizon).toBe(2)
    expect(found.accuracy).toMatchObject({
      outcomes: 3,
      accuracy: near(1 / 3),
      majorityBaseline: near(2 / 3),
      reversalBaseline: near(2 / 3),
      effectiveOutcomes: near((3 * Math.sqrt(233 * 99)) / 400),
    })
    expect(found.probability.brier).toBeCloseTo((0.16 + 0.36 + 0.49) / 3, 6)
    expect(found.probability.climatology).toBe(0.5)
    expect(found.confusion).toEqual({ buy: [1, 1, 0], sell: [1, 0, 0], hold: [0, 0, 0] })
  })

  it('has ranks of P(up) 2, 1, 3 against outcomes 2, 3, 1: 1 − 6 · 8 / 24 = −1', () => {
    expect(found.correlation.rankIc).toBeCloseTo(-1, 12)
    expect(found.correlation.ic).toBeLessThan(-0.9)
    expect(found.correlation.interval95).toBeCloseTo(1.959964 / Math.sqrt((3 * Math.sqrt(233 * 99)) / 400), 5)
  })

  it('has its fan held by 3 of 4 outcomes one candle ahead and by 1 of 3 at two', () => {
    // ln 104/100 = 0.039, ln 108/102 = 0.057, 0, ln 100/108 = −0.077; then ln 102/100 = 0.0198, ln 108/102, ln 100/108.
    expect(found.fan[0]).toMatchObject({ horizon: 1, outcomes: 4, coverage90: 0.75, coverage50: 0.25 })
    expect(found.fan[1]).toMatchObject({ horizon: 2, outcomes: 3, coverage90: near(1 / 3), coverage50: near(1 / 3) })
    expect(found.fan[1]!.effectiveOutcomes).toBeCloseTo((3 * Math.sqrt(233 * 99)) / 400, 9)
  })

  it('has the skill of its fan over both baselines, by horizon and in the mean', () => {
    // A line at 0 loses Σ p = 2.5 times each move, up or down.
    const skill = FAN.map((fan, h) => {
      const moves = (h === 0 ? [3, 5, 6, 7] : [3, 5, 6]).map((i) => returns[h]![i]!)
      const loss = moves.reduce((sum, y) => sum + fan.reduce((s, q, k) => s + pinballLoss(q, y, QUANTILES[k]!), 0), 0)
      return 1 - loss / moves.reduce((sum, y) => sum + 2.5 * Math.abs(y), 0)
    })
    expect(found.fan.map(({ skillOverEwma }) => skillOverEwma)).toEqual(skill.map((s) => near(s)))
    expect(found.pinballSkillOverEwma).toBeCloseTo((skill[0]! + skill[1]!) / 2, 9)
    expect(found.pinballSkillOverHistorical).toBeCloseTo(0, 9)
  })

  it('trades its signals from the first candle on, beside buying there and selling at the end', () => {
    // Long 100 → 102: +2; short 102 → 108: −6; long 108 → 100: −8. Half of 20 bps of 100, 2 · 102, 2 · 108 and 100.
    expect(found.trading).toMatchObject({ candles: 5, roundTripCostBps: 20 })
    expect(found.trading.signal).toEqual({
      grossPct: near(-12),
      costsPct: near(0.62),
      netPct: near(-12.62),
      turnover: 6,
    })
    expect(found.trading.buyAndHold).toEqual({
      grossPct: near(0),
      costsPct: near(0.2),
      netPct: near(-0.2),
      turnover: 2,
    })
    expect(found.trading.flat).toEqual({ grossPct: 0, costsPct: 0, netPct: 0, turnover: 0 })
  })

  it('has no intervals: nine candles are no ten blocks', () =>
    expect(found.uncertainty).toEqual({
      pinballSkillOverEwma: null,
      logLossSkill: null,
      tradedNetPct: null,
      tradedSharpe: null,
    }))
})

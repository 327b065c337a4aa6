import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candlesFromRows, sliceCandles } from '../candles.ts'
import { createRandom } from '../random.ts'
import {
  measuredCandles,
  modelVolatility,
  squaredReturns,
  steadyVolatilities,
  steadyVolatility,
  trendShare,
} from './measures.ts'
import { type TargetPlan, targetAt, targetColumn, targetPlanOf } from './targets.ts'

const HOUR = 3_600_000
const closesOf = (length: number, close: (i: number) => number) => Float64Array.from({ length }, (_, i) => close(i))
const candlesOf = (closes: Float64Array, startMs = 0) =>
  candlesFromRows(Array.from(closes, (close, i) => [startMs + i * HOUR, close, close, close, close, 1]))
const plan = (policy: TargetPlan['policy'], changes: Partial<TargetPlan> = {}): TargetPlan => ({
  ...targetPlanOf({ policy, riskLevel: 'medium', pairs: 1 })!,
  ...changes,
})

describe('measures, worked by hand', () => {
  it('moves of 1 % an hour are √8760 % a year; nothing is known before 168 moves', () => {
    const closes = closesOf(400, (i) => (i % 2 === 0 ? 100 : 100 * Math.exp(0.01)))
    expect(steadyVolatility(squaredReturns(closes), 399, '1h')).toBeCloseTo(0.01 * Math.sqrt(8760), 10)
    expect(steadyVolatility(squaredReturns(closes), 168, '1h')).toBeCloseTo(0.01 * Math.sqrt(8760), 10)
    expect(steadyVolatility(squaredReturns(closes), 167, '1h')).toBeNaN()
  })
  it('a day of stillness takes 24 / 720 of a half-life off: the variance falls by 0.5^(1/30)', () => {
    const closes = closesOf(400, (i) => (i > 200 || i % 2 === 0 ? 100 : 100 * Math.exp(0.01)))
    const before = steadyVolatility(squaredReturns(closes), 200, '1h')
    expect((steadyVolatility(squaredReturns(closes), 224, '1h') / before) ** 2).toBeCloseTo(0.5 ** (1 / 30), 10)
  })
  it('days in a row have the same bits as each close by itself, in whatever order they are asked for', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.integer({ min: 0, max: 3199 }), { minLength: 1 }), (seed, asked) => {
        const random = createRandom(seed)
        const squares = squaredReturns(closesOf(3200, () => 100 * Math.exp(0.01 * random.normal())))
        const at = steadyVolatilities(squares, '4h')
        for (const i of asked) for (let k = i; k < 3200; k += 6) expect(at(k)).toBe(steadyVolatility(squares, k, '4h'))
      }),
      { numRuns: 5 },
    )
  })
  it('closes of 4 hours have a year of 2,190 and a first week of 42', () => {
    const closes = closesOf(43, (i) => (i % 2 === 0 ? 100 : 100 * Math.exp(0.02)))
    expect(steadyVolatility(squaredReturns(closes), 42, '4h')).toBeCloseTo(0.02 * Math.sqrt(2190), 10)
    expect(steadyVolatility(squaredReturns(closes), 41, '4h')).toBeNaN()
  })
  it('a rise lies above all three averages, a fall below, a late dip below the shortest alone', () => {
    expect(
      trendShare(
        closesOf(2400, (i) => 100 + i),
        2399,
        '1h',
      ),
    ).toBe(1)
    expect(
      trendShare(
        closesOf(2400, (i) => 9000 - i),
        2399,
        '1h',
      ),
    ).toBe(0)
    expect(
      trendShare(
        closesOf(2400, (i) => (i === 2399 ? 2200 : i)),
        2399,
        '1h',
      ),
    ).toBe(1)
    expect(
      trendShare(
        closesOf(2400, (i) => (i === 2399 ? 2000 : i)),
        2399,
        '1h',
      ),
    ).toBe(2 / 3)
    expect(
      trendShare(
        closesOf(2399, (i) => 100 + i),
        2398,
        '1h',
      ),
    ).toBeNaN()
  })
  it('a fan from −1.645 % to +1.645 % over 4 hours is a deviation of 1 %, √2190 of it a year', () => {
    const far = 0.01644853626951
    expect(modelVolatility(100 * Math.exp(-far), 100 * Math.exp(far), 4, '1h')).toBeCloseTo(0.01 * Math.sqrt(2190), 10)
    expect(modelVolatility(Number.NaN, 100, 4, '1h')).toBeNaN()
  })
})

describe('targets', () => {
  /** Volatility √8760 % = 0.936 a year. */
  const wild = candlesOf(closesOf(3000, (i) => (i % 2 === 0 ? 100 : 100 * Math.exp(0.01))))
  const sigma = 0.01 * Math.sqrt(8760)

  it('steady_risk is 0.40 over the volatility, at most 1; a low risk is half of it', () => {
    expect(targetAt(plan('steady_risk'), wild, 2999, '1h', Number.NaN)).toBeCloseTo(0.4 / sigma, 9)
    expect(targetAt(plan('steady_risk', { risk: 0.2 }), wild, 2999, '1h', Number.NaN)).toBeCloseTo(0.2 / sigma, 9)
    expect(targetAt(plan('steady_risk', { risk: 2 }), wild, 2999, '1h', Number.NaN)).toBe(1)
  })
  it('trend_steady_risk is none below its averages, and not known before 100 days', () => {
    expect(targetAt(plan('trend_steady_risk'), wild, 2998, '1h', Number.NaN)).toBe(0)
    expect(targetAt(plan('trend_steady_risk'), wild, 2999, '1h', Number.NaN)).toBeCloseTo(0.4 / sigma, 9)
    expect(targetAt(plan('trend_steady_risk'), wild, 2398, '1h', Number.NaN)).toBeNaN()
  })
  it('model_brake takes the wider volatility, and decides nothing without a forecast', () => {
    expect(targetAt(plan('model_brake'), wild, 2999, '1h', 1.6)).toBeCloseTo(0.25, 12)
    expect(targetAt(plan('model_brake'), wild, 2999, '1h', 0.1)).toBeCloseTo(0.4 / sigma, 9)
    expect(targetAt(plan('model_brake'), wild, 2999, '1h', Number.NaN)).toBeNaN()
  })
  it('fixed_share of one of four pairs is an eighth', () => {
    const quarter = targetPlanOf({ policy: 'fixed_share', riskLevel: 'low', pairs: 4 })!
    expect(targetAt(quarter, wild, 0, '1h', Number.NaN)).toBe(0.125)
    expect(quarter.band).toBe(0.0125)
  })

  const decidedAt = (column: Float64Array) => [...column].flatMap((t, i) => (Number.isNaN(t) ? [] : [i]))

  it('are decided once a day: at 00:00, at the first close after it where that hour is missing, and at the first of all', () => {
    const days = candlesOf(closesOf(72, () => 100))
    expect(decidedAt(targetColumn(plan('fixed_share'), days, 0, '1h', []))).toEqual([0, 23, 47, 71])
    expect(decidedAt(targetColumn(plan('fixed_share'), days, 10, '1h', []))).toEqual([0, 13, 37, 61])
    const gap = candlesFromRows([22, 25, 26, 48].map((hour) => [hour * HOUR, 1, 1, 1, 1, 1]))
    expect(decidedAt(targetColumn(plan('fixed_share'), gap, 0, '1h', []))).toEqual([0, 1, 3])
    const six = plan('fixed_share', { decisionHour: 6 })
    expect(decidedAt(targetColumn(six, days, 0, '1h', []))).toEqual([0, 5, 29, 53])
  })
  it('are decided at the next close of the day where the first one is not enough: without a forecast at 00:00 and 01:00 at 02:00', () => {
    const days = candlesOf(closesOf(240, (i) => (i % 2 === 0 ? 100 : 101)))
    const silent = Float64Array.from({ length: 240 }, (_, i) => (i === 191 || i === 192 ? Number.NaN : 0.5))
    expect(decidedAt(targetColumn(plan('model_brake'), days, 0, '1h', [silent]))).toEqual([168, 193, 215, 239])
  })

  it('are the same bits wherever the candles begin, candle by candle or as a column, and look at no later candle', () => {
    const random = createRandom(7)
    let close = 100
    const closes = closesOf(measuredCandles('1h', 'steady_risk') + 600, () => {
      close *= Math.exp(0.01 * random.normal())
      return close
    })
    const all = candlesOf(closes)
    for (const policy of ['steady_risk', 'trend_steady_risk', 'trend_ensemble'] as const) {
      const column = targetColumn(plan(policy), all, 0, '1h', [])
      for (const i of [measuredCandles('1h', 'steady_risk') + 23, all.length - 1]) {
        const last = i - ((i + 1) % 24)
        const alone = sliceCandles(all, last - measuredCandles('1h', 'steady_risk'), last + 1)
        expect(targetAt(plan(policy), alone, alone.length - 1, '1h', Number.NaN)).toBe(column[last])
        expect(column[last]).not.toBeNaN()
      }
    }
  })
})

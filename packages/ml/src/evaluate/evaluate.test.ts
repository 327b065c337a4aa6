import { DECISION } from '@shapecast/engine/decisions'
import { describe, expect, it } from 'vitest'
import { accuracyReport, directionVerdict } from './accuracy.ts'
import { correlation, rankCorrelation, ranks } from './correlation.ts'
import { brierScore, probabilityReport } from './evaluate-model.ts'
import { fanReport, fitBaselines, pinballLoss } from './fan.ts'
import { effectiveOutcomes, wilsonInterval } from './intervals.ts'
import { confusionOf, signalPnl, tradingReport } from './trading.ts'

const near = (value: number, digits = 9) => expect.closeTo(value, digits)

describe('effectiveOutcomes', () => {
  it('counts 400 candles as 233, 99 and 71 outcomes at 1, 4 and 8 candles ahead', () => {
    expect([1, 4, 8].map((h) => effectiveOutcomes(400, h))).toEqual([near(233), near(99), near(71)])
  })

  it('lies between them, and beyond, by straight lines in logarithms: √(233 · 99) at 2, 71² / 99 at 16', () => {
    expect(effectiveOutcomes(400, 2)).toBeCloseTo(Math.sqrt(233 * 99), 9)
    expect(effectiveOutcomes(400, 16)).toBeCloseTo(71 ** 2 / 99, 9)
  })

  it('falls from horizon to horizon', () => {
    const counts = [1, 2, 3, 4, 5, 6, 7, 8].map((h) => effectiveOutcomes(400, h))
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
  })
})

describe('wilsonInterval', () => {
  it('is 40.4 % to 59.6 % for 50 % over 100', () => {
    expect(wilsonInterval(0.5, 100)).toEqual([near(0.40383, 5), near(0.59617, 5)])
  })

  it('knows nothing without outcomes', () => expect(wilsonInterval(0, 0)).toEqual([0, 1]))
})

it.each([
  ['better than the reversal baseline', 0.6, { code: 'better', holdsUp: true, rule: 'reversal' }],
  ['worse than the majority baseline', 0.4, { code: 'worse', holdsUp: false, rule: 'majority' }],
  ['indistinguishable from the reversal baseline', 0.5, { code: 'no_better', holdsUp: false, rule: 'reversal' }],
  ['no outcome to judge by', 0, { code: 'not_judged', holdsUp: false }],
  ['better than the reversal baseline', 0.66, { code: 'not_credible', holdsUp: false, rule: 'reversal' }],
])('“%s” with %d right is a code', (verdict, accuracy, found) => {
  const baselines = { majorityBaseline: 0.51, reversalBaseline: 0.545 }
  const report = { accuracy, interval: [0, 1] as [number, number], outcomes: 1, effectiveOutcomes: 1, ...baselines }
  expect(directionVerdict({ ...report, verdict })).toMatchObject({ ...found, ruleRatio: 0.545 })
})

describe('accuracyReport', () => {
  it('counts hits beside the majority and the reversal rule, without the flat outcome', () => {
    const report = accuracyReport({
      pUp: Float64Array.of(0.6, 0.4, 0.7, 0.9, 0.55),
      returns: Float64Array.of(0.01, -0.01, -0.02, 0, 0.01),
      before: Float64Array.of(-0.01, 0.02, -0.01, 0.01, 0.03),
      majorityRises: true,
      horizon: 1,
    })
    expect(report).toMatchObject({
      accuracy: 0.75,
      outcomes: 4,
      flatOutcomes: 1,
      majorityBaseline: 0.5,
      reversalBaseline: 0.5,
      effectiveOutcomes: near((4 * 233) / 400),
      verdict: 'indistinguishable from the majority baseline',
    })
    expect(directionVerdict(report).code).toBe('not_credible')
    expect(directionVerdict({ ...report, accuracy: 0.5 })).toMatchObject({ code: 'no_better', rule: 'majority' })
  })

  it('leaves out what is not known, takes exactly ½ for a fall, and the majority where the price stood still before', () => {
    // Known are rows 2, 3 and 4: rose, fell, fell. The model calls up, down (½), up; the majority down; the reversal rule
    // down (after a rise), down (nothing before: the majority), down (not known); up twice where the majority is up.
    const judged = (majorityRises: boolean) =>
      accuracyReport({
        pUp: Float64Array.of(0.6, Number.NaN, 0.6, 0.5, 0.9),
        returns: Float64Array.of(Number.NaN, 0.01, 0.01, -0.01, -0.01),
        before: Float64Array.of(0.01, 0.01, 0.01, 0, Number.NaN),
        majorityRises,
        horizon: 1,
      })
    const report = judged(false)
    expect(judged(true)).toMatchObject({ majorityBaseline: near(1 / 3), reversalBaseline: 0 })
    expect(report).toMatchObject({ outcomes: 3, flatOutcomes: 0, accuracy: near(2 / 3) })
    expect(report.majorityBaseline).toBeCloseTo(2 / 3, 12)
    expect(report.reversalBaseline).toBeCloseTo(2 / 3, 12)
  })

  it('says that there is nothing to judge by where no price moved', () => {
    const report = accuracyReport({
      pUp: Float64Array.of(0.6, 0.4),
      returns: Float64Array.of(0, 0),
      before: Float64Array.of(0, 0),
      majorityRises: true,
      horizon: 1,
    })
    expect(report).toMatchObject({ outcomes: 0, flatOutcomes: 2, interval: [0, 1], verdict: 'no outcome to judge by' })
  })

  it('calls 100 % better than a reversal rule that is right in three of four', () => {
    const n = 400
    const returns = Float64Array.from({ length: n }, (_, i) => (i % 2 === 0 ? 0.01 : -0.01))
    const report = accuracyReport({
      pUp: returns.map((r) => (r > 0 ? 0.6 : 0.4)),
      returns,
      before: returns.map((r, i) => (i % 4 === 0 ? r : -r)),
      majorityRises: true,
      horizon: 1,
    })
    expect(report.reversalBaseline).toBe(0.75)
    expect(report.verdict).toBe('better than the reversal baseline')
  })

  it('can tell nothing of six outcomes that all turned out well, and of seven that did', () => {
    // Only the model was right, each time: the difference of 1 has a variance of 1, and 1.96 / √(n · 233/400) is 1.05 for
    // n = 6 and 0.97 for 7.
    const verdict = (n: number) =>
      accuracyReport({
        pUp: new Float64Array(n).fill(0.6),
        returns: new Float64Array(n).fill(0.01),
        before: new Float64Array(n).fill(0.01),
        majorityRises: false,
        horizon: 1,
      }).verdict
    expect([1, 6].map(verdict)).toEqual(Array(2).fill('indistinguishable from the majority baseline'))
    expect(verdict(7)).toBe('better than the majority baseline')
  })

  it('calls a model that is always wrong worse', () => {
    const returns = Float64Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 0.01 : -0.01))
    const report = accuracyReport({
      pUp: returns.map((r) => (r > 0 ? 0.4 : 0.6)),
      returns,
      before: returns.map(() => 0.01),
      majorityRises: true,
      horizon: 1,
    })
    expect(report.verdict).toBe('worse than the majority baseline')
  })
})

describe('probability scores', () => {
  it('give a Brier score of (0.2² + 0.6²) / 2', () => {
    expect(brierScore([0.8, 0.6], [1, 0])).toBeCloseTo(0.2, 12)
  })

  it('give climatology itself no skill, and a good forecast the share of the loss it saves', () => {
    const labels = Float32Array.of(1, 0, 1, 0, 1, 0)
    expect(probabilityReport(new Float64Array(6).fill(0.5), labels, 0.5, 1)).toMatchObject({
      brierSkill: 0,
      logLossSkill: 0,
    })
    const good = probabilityReport(
      Float64Array.from(labels, (y) => (y === 1 ? 0.75 : 0.25)),
      labels,
      0.5,
      1,
    )
    expect(good.brierSkill).toBeCloseTo(1 - 0.0625 / 0.25, 12)
    expect(good.logLossSkill).toBeCloseTo(1 - Math.log(0.75) / Math.log(0.5), 12)
  })

  it('bin by equal counts with a band around the forecast', () => {
    const p = Float64Array.from({ length: 100 }, (_, i) => 0.4 + i / 500)
    const labels = Float32Array.from({ length: 100 }, (_, i) => i % 2)
    const { reliability } = probabilityReport(p, labels, 0.5, 1)
    expect(reliability.map((bin) => bin.outcomes)).toEqual([20, 20, 20, 20, 20])
    expect(reliability[0]).toMatchObject({ predicted: near(0.419), observed: 0.5 })
    const reach = 1.959963984540054 * Math.sqrt((0.419 * 0.581) / ((20 * 233) / 400))
    expect(reliability[0]!.band).toEqual([near(0.419 - reach), near(0.419 + reach)])
  })
})

describe('reliability of few and equal forecasts', () => {
  it('has bins of 1, 1, 2, 1 and 2 of seven, equal forecasts in order of time, and bands within 0 … 1', () => {
    const labels = Float32Array.of(1, 0, 1, 1, 0, 0, 1)
    const { reliability } = probabilityReport(new Float64Array(7).fill(0.9), labels, 0.5, 1)
    expect(reliability.map((bin) => bin.outcomes)).toEqual([1, 1, 2, 1, 2])
    expect(reliability.map((bin) => bin.observed)).toEqual([1, 0, 1, 0, 0.5])
    for (const { band } of reliability) expect(band[1]).toBe(1)
  })

  it('saves no share of a loss that is none', () => {
    const labels = Float32Array.of(0.5, 0.5)
    expect(probabilityReport(Float64Array.of(0.6, 0.6), labels, 0.5, 1).brierSkill).toBe(0)
  })
})

describe('the fan', () => {
  it('is σ √h times the quantiles of scaled past returns, by candle and horizon, for rolling volatility', () => {
    // Two candles ahead; past returns of 1.4142, −1.4142 and 0 with σ √2 = 1.4142, 2.8284 and 1: 1, −½ and 0.
    const root = Math.SQRT2
    const returns = [Float64Array.of(1, 1, 1, 0), Float64Array.of(root, -root, 0, 0)]
    const sigma = Float64Array.of(1, 2, 1 / root, 3)
    const { ewma, historical } = fitBaselines(returns, sigma, Int32Array.of(0, 1, 2), [0, 0.5, 1])
    expect(ewma(1, 3)).toEqual([near(-0.5 * 3 * root), near(0), near(3 * root)])
    expect(ewma(0, 3)).toEqual([near(1.5), near(3), near(3 * root)])
    expect(historical(1)).toEqual([near(-root), near(0), near(root)])
  })

  it('holds an outcome that lies on its edge, and leaves out what is not known, by horizon', () => {
    const quantiles = [0.05, 0.25, 0.5, 0.75, 0.95]
    const fan = [-2, -1, 0, 1, 2]
    const unknown = fan.map(() => Number.NaN)
    // Rows 0 … 3: on the outer edges one candle ahead, on the inner ones two; the third is not forecast, the last not known.
    const returns = [Float64Array.of(2, -2, 0, Number.NaN), Float64Array.of(1, -1, 0, 0)]
    const baselines = { ewma: () => [0, 0, 0, 0, 0], historical: () => [0, 0, 0, 0, 0] }
    const report = fanReport(
      Float64Array.from([fan, fan, fan, fan, unknown, unknown, fan, fan].flat()),
      Int32Array.of(0, 1, 2, 3),
      returns,
      quantiles,
      baselines,
    )
    expect(report.map((row) => [row.horizon, row.outcomes, row.coverage90, row.coverage50])).toEqual([
      [1, 2, 1, 0],
      [2, 3, 1, 1],
    ])
    expect(report[1]!.coverage90Interval).toEqual(wilsonInterval(1, effectiveOutcomes(3, 2)))
    const still = fanReport(new Float64Array(5), Int32Array.of(0), [Float64Array.of(0)], quantiles, baselines)
    expect(still[0]).toMatchObject({ skillOverEwma: 0, skillOverHistorical: 0 })
  })

  it('loses 0.05 × 2 above and 0.95 × 1 below a 5 % quantile', () => {
    expect(pinballLoss(0, 2, 0.05)).toBeCloseTo(0.1, 12)
    expect(pinballLoss(0, -1, 0.05)).toBeCloseTo(0.95, 12)
  })

  it('is judged by coverage and by the loss it saves against both baselines', () => {
    const past = Float64Array.of(-2, -1, 0, 1, 2, -1, 1)
    const rows = Int32Array.of(5, 6)
    const quantiles = [0.05, 0.25, 0.5, 0.75, 0.95]
    const sigma = new Float64Array(7).fill(1)
    const baselines = fitBaselines([past], sigma, Int32Array.of(0, 1, 2, 3, 4), quantiles)
    expect(baselines.historical(0)).toEqual([near(-1.8), -1, 0, 1, near(1.8)])
    const same = fanReport(
      Float64Array.of(-1.8, -1, 0, 1, 1.8, -1.8, -1, 0, 1, 1.8),
      rows,
      [past],
      quantiles,
      baselines,
    )
    expect(same[0]).toMatchObject({
      outcomes: 2,
      coverage90: 1,
      coverage50: 1,
      skillOverEwma: near(0),
      skillOverHistorical: near(0),
    })
    const perfect = fanReport(Float64Array.of(-1, -1, -1, -1, -1, 1, 1, 1, 1, 1), rows, [past], quantiles, baselines)
    expect(perfect[0]).toMatchObject({ skillOverEwma: 1, skillOverHistorical: 1 })
    const blind = fanReport(Float64Array.of(5, 6, 7, 8, 9, 5, 6, 7, 8, 9), rows, [past], quantiles, baselines)
    expect(blind[0]!.coverage90).toBe(0)
    expect(blind[0]!.skillOverEwma).toBeLessThan(0)
  })
})

describe('correlations', () => {
  it('rank with ties by the mean of their ranks', () => {
    expect(Array.from(ranks([10, 30, 20, 20]))).toEqual([1, 4, 2.5, 2.5])
  })

  it('are 1 for a rising line, less for its exponential, while the ranks agree wholly', () => {
    const x = [1, 2, 3, 4]
    const y = x.map(Math.exp)
    expect(correlation(x, x)).toBeCloseTo(1, 12)
    expect(correlation(x, y)).toBeLessThan(0.95)
    expect(rankCorrelation(x, y)).toBeCloseTo(1, 12)
    expect(correlation(x, [1, 1, 1, 1])).toBe(0)
    expect(correlation([1, 1, 1, 1], x)).toBe(0)
  })
})

describe('trading the plain signal', () => {
  const { BUY, SELL, HOLD } = DECISION

  it('earns the moves while in position and pays half a round trip for every unit that changes hands', () => {
    // long 100 → 110, still long 110 → 105, short 105 → 100, closed: +10 − 5 + 5 on a base of 100.
    const pnl = signalPnl(Int8Array.of(BUY, HOLD, SELL, HOLD), Float64Array.of(100, 110, 105, 100), 20)
    expect(pnl.grossPct).toBeCloseTo(10, 12)
    expect(pnl.turnover).toBe(4)
    // 10 bps of 100 (open), of 2 × 105 (reversal), of 100 (close) = 0.41 % of 100
    expect(pnl.costsPct).toBeCloseTo(0.41, 12)
    expect(pnl.netPct).toBeCloseTo(9.59, 12)
  })

  it('stands beside flat and buy and hold', () => {
    const report = tradingReport(new Int8Array(3), Float64Array.of(100, 90, 120), 22)
    expect(report).toMatchObject({ candles: 2, roundTripCostBps: 22 })
    expect(report.signal).toMatchObject({ grossPct: 0, netPct: 0, turnover: 0 })
    expect(report.flat).toEqual({ grossPct: 0, costsPct: 0, netPct: 0, turnover: 0 })
    expect(report.buyAndHold.grossPct).toBeCloseTo(20, 12)
    expect(report.buyAndHold.costsPct).toBeCloseTo(0.11 * (1 + 1.2), 12)
  })

  it('counts signals by outcome', () => {
    const returns = Float64Array.of(0.1, -0.1, 0, 0.1, Number.NaN)
    expect(confusionOf(Int8Array.of(BUY, BUY, SELL, HOLD, BUY), returns)).toEqual({
      buy: [1, 1, 0],
      sell: [0, 0, 1],
      hold: [1, 0, 0],
    })
  })
})

import { DECISION } from '@shapecast/engine/decisions'
import { describe, expect, it } from 'vitest'
import { accuracyReport } from './accuracy.ts'
import { correlation, rankCorrelation, ranks } from './correlation.ts'
import { effectiveOutcomes } from './effective-outcomes.ts'
import { fanReport, fitBaselines, pinballLoss } from './fan.ts'
import { wilsonInterval } from './intervals.ts'
import { brierScore, probabilityReport } from './probability.ts'
import { confusionOf, signalPnl, tradingReport } from './trading.ts'

const near = (value: number, digits = 9) => expect.closeTo(value, digits)

describe('effectiveOutcomes', () => {
  it('counts 400 candles as 233, 99 and 71 outcomes at 1, 4 and 8 candles ahead', () => {
    expect([1, 4, 8].map((h) => effectiveOutcomes(400, h))).toEqual([near(233), near(99), near(71)])
  })

  it('falls from horizon to horizon', () => {
    const counts = [1, 2, 3, 4, 5, 6, 7, 8].map((h) => effectiveOutcomes(400, h))
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
  })
})

describe('wilsonInterval', () => {
  it('of 50 % over 100 is 40.4 % to 59.6 %', () => {
    expect(wilsonInterval(0.5, 100)).toEqual([near(0.40383, 5), near(0.59617, 5)])
  })

  it('knows nothing without outcomes', () => expect(wilsonInterval(0, 0)).toEqual([0, 1]))
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

describe('the fan', () => {
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
    expect(report.signal).toMatchObject({ grossPct: 0, netPct: 0, turnover: 0 })
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

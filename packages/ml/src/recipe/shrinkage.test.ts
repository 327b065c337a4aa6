import { createRandom } from '@shapecast/engine/random'
import { describe, expect, it } from 'vitest'
import { calibrate, climatologyOf, fitShrinkage, logLoss } from './shrinkage.ts'

describe('climatologyOf', () => {
  it('draws 6,000 ups in 10,000 halfway to ½', () => {
    const labels = Float32Array.from({ length: 10_000 }, (_, i) => (i < 6000 ? 1 : 0))
    const rows = Int32Array.from({ length: 10_000 }, (_, i) => i)
    expect(climatologyOf(labels, rows)).toBeCloseTo(0.55, 12)
  })
})

describe('logLoss', () => {
  it('is −ln 0.8 for a hit with 0.8, and half each way for a flat outcome', () => {
    expect(logLoss([0.8], [1])).toBeCloseTo(-Math.log(0.8), 12)
    expect(logLoss([0.8], [0.5])).toBeCloseTo(-(Math.log(0.8) + Math.log(0.2)) / 2, 12)
    expect(logLoss([0.8, 0.5], [1, 0])).toBeCloseTo(-(Math.log(0.8) + Math.log(0.5)) / 2, 12)
  })

  it('is large and finite for wrong certainty', () => {
    expect(logLoss([1], [0])).toBeCloseTo(-Math.log(1e-6), 6)
    expect(logLoss([0], [1])).toBeCloseTo(-Math.log(1e-6), 6)
  })
})

describe('fitShrinkage', () => {
  const forecasts = (truth: (p: number) => number) => {
    const random = createRandom(9)
    const p = Float64Array.from({ length: 40_000 }, () => 0.2 + 0.6 * random.next())
    return { p, labels: Float32Array.from(p, (v) => (random.next() < truth(v) ? 1 : 0)) }
  }

  it('keeps a forecast that is right', () => {
    const { p, labels } = forecasts((v) => v)
    expect(fitShrinkage(p, labels, 0.5).weight).toBeGreaterThan(0.95)
    // One that is too timid is not made bolder: the weight ends at 1.
    const timid = forecasts((v) => 0.5 + 1.6 * (v - 0.5))
    expect(fitShrinkage(timid.p, timid.labels, 0.5).weight).toBeCloseTo(1, 6)
  })

  it('halves a forecast that is twice too bold', () => {
    const { p, labels } = forecasts((v) => 0.5 + 0.5 * (v - 0.5))
    expect(fitShrinkage(p, labels, 0.5).weight).toBeCloseTo(0.5, 1)
  })

  it('keeps only the order of a forecast without skill', () => {
    const { p, labels } = forecasts((v) => 1 - v)
    const calibration = fitShrinkage(p, labels, 0.5)
    expect(calibration.weight).toBeCloseTo(0.05, 6)
    expect(calibrate(calibration, 0.8)).toBeCloseTo(0.515, 6)
  })
})

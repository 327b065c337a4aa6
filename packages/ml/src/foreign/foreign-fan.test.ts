import { normalQuantile } from '@shapecast/engine/selection/normal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ForeignCard } from './foreign-card.ts'
import { foreignWords, toFanLevels } from './foreign-fan.ts'

const DECILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
const FAN_Z = [0.05, 0.25, 0.5, 0.75, 0.95].map(normalQuantile)

describe('quantiles of other levels', () => {
  it('are those of a normal again where they are of one, beyond the outermost too', () => {
    const normal = Float64Array.from(DECILES, (level) => 0.01 + 0.02 * normalQuantile(level))
    toFanLevels(DECILES)(normal).forEach((q, k) => {
      expect(q).toBeCloseTo(0.01 + 0.02 * FAN_Z[k]!, 12)
    })
  })

  it('stay as they are, to the bit, where they are the fan', () => {
    expect(toFanLevels([0.05, 0.25, 0.5, 0.75, 0.95])(Float64Array.of(1, 2, 3, 4, 5))).toEqual([1, 2, 3, 4, 5])
  })

  it('rise, whatever levels rise from a quarter to three', () => {
    const levels = fc
      .uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 30 })
      .map((some) => [...new Set([200, ...some, 800])].sort((a, b) => a - b).map((k) => k / 1000))
    fc.assert(
      fc.property(levels, fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 40 }), (given, values) => {
        const fan = toFanLevels(given)(Float64Array.from(values.slice(0, given.length)).sort())
        fan.slice(1).forEach((q, k) => {
          expect(q).toBeGreaterThanOrEqual(fan[k]! - 1e-9)
        })
      }),
    )
  })
})

describe('a model without a fan', () => {
  const SIGMA = [1, 2, 3, 4, 5, 6, 7, 8].map((h) => 0.01 * Math.sqrt(h))
  const card = (more: object) =>
    ForeignCard.parse({
      format: 'shapecast-foreign-model',
      formatVersion: 1,
      name: 'by hand',
      timeframe: '1h',
      lookback: 1,
      inputs: 'ours',
      signalHorizon: 4,
      ...more,
    })
  const median = (fan: Float64Array, h: number) => fan[5 * (h - 1) + 2]!
  const none = new Float32Array(0)

  it('has the move that agrees with P(up) at its horizon: Φ⁻¹(0.69146) = 0.5 σ, a quarter of it next', () => {
    const { fan, pUp } = foreignWords(card({ output: 'classes' }))(none, Math.log(0.6914624613 / 0.3085375387), SIGMA)
    expect(pUp).toBeCloseTo(0.6914624613, 9)
    expect(median(fan, 4)).toBeCloseTo(0.01, 9)
    expect(median(fan, 1)).toBeCloseTo(0.0025, 9)
    expect(median(fan, 8)).toBeCloseTo(0.01, 9)
    expect(fan[4]! - fan[0]!).toBeCloseTo(2 * 1.6448536 * 0.01, 8)
  })

  it('has the P(up) that agrees with the return it expects, in either unit', () => {
    for (const [quantileUnit, said] of [
      ['sigma', 0.5],
      ['log_return', 0.01],
    ] as const) {
      const { fan, pUp } = foreignWords(card({ output: 'return', quantileUnit }))(none, said, SIGMA)
      expect(pUp).toBeCloseTo(0.6914624613, 9)
      expect(median(fan, 4)).toBeCloseTo(0.01, 12)
    }
  })

  it('says nothing where its file says nothing', () => {
    for (const output of ['classes', 'return'])
      expect(foreignWords(card({ output }))(none, Number.NaN, SIGMA).fan.every(Number.isNaN)).toBe(true)
  })
})

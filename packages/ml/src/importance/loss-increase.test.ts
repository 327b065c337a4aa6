import type { LossIncrease } from '@shapecast/contracts/importance'
import { describe, expect, it } from 'vitest'
import { importanceVerdict, lossIncrease } from './measure-importance.ts'

const column = (length: number, value: (i: number) => number): Float64Array =>
  Float64Array.from({ length }, (_, i) => value(i))

describe('the growth of a loss', () => {
  it('has the mean and the spread of its repeats: 1 and 3 are 2 ± 12.7062 × 1', () => {
    // Variance of {1, 3} is 2, of their mean 1; Student's t of one degree at 97.5 % is 12.7062. Outcomes do not differ.
    const grown = lossIncrease(
      column(10, () => 5),
      [column(10, () => 6), column(10, () => 8)],
    )
    expect(grown.mean).toBeCloseTo(2, 12)
    expect(grown.interval[0]).toBeCloseTo(2 - 12.7062, 3)
    expect(grown.interval[1]).toBeCloseTo(2 + 12.7062, 3)
  })

  it('covers that other outcomes would have grown otherwise: a slow wave around 1', () => {
    // Repeats agree, so all of the width is of the outcomes. Of 100 there are ⌊0.4 · 100^⅔⌋ = 8 cosines; the one that the
    // growth is made of projects to √50, so that the variance of the mean is 50 / 8 / 100 = 1/16: 2.3060 × ¼.
    const growth = column(100, (i) => 1 + Math.cos((Math.PI * 3 * (i + 0.5)) / 100))
    const { mean, interval } = lossIncrease(
      column(100, () => 0),
      [growth, growth],
    )
    expect(mean).toBeCloseTo(1, 12)
    expect(interval[1] - mean).toBeCloseTo(2.306 / 4, 4)
    expect(mean - interval[0]).toBeCloseTo(interval[1] - mean, 12)
  })

  it('has the spread of the mean of three repeats: 1, 2 and 3 are 2 ± 4.3027 × √(1/3)', () => {
    const grown = lossIncrease(
      column(10, () => 5),
      [6, 7, 8].map((loss) => column(10, () => loss)),
    )
    expect(grown.interval[1]).toBeCloseTo(2 + 4.302653 / Math.sqrt(3), 4)
  })

  it('is not known of a single outcome', () => {
    expect(lossIncrease(Float64Array.of(1), [Float64Array.of(2), Float64Array.of(4)])).toEqual({
      mean: 0,
      interval: [0, 0],
    })
  })

  it('is nothing at all where no loss moved', () => {
    const same = column(50, (i) => Math.sin(i))
    expect(lossIncrease(same, [same, same, same])).toEqual({ mean: 0, interval: [0, 0] })
  })

  it('wants two repeats', () => {
    expect(() =>
      lossIncrease(
        column(5, () => 0),
        [column(5, () => 1)],
      ),
    ).toThrow(/two repeats/)
  })
})

describe('the verdict', () => {
  const [none, more, less]: LossIncrease[] = [
    { mean: 0.1, interval: [-0.1, 0.3] },
    { mean: 0.2, interval: [0.1, 0.3] },
    { mean: -0.2, interval: [-0.3, -0.1] },
  ]
  it('says for what an input matters, or that it cannot be told from none', () => {
    expect(importanceVerdict(none!, none!)).toBe('Indistinguishable from none.')
    expect(importanceVerdict(more!, none!)).toBe('Matters for the fan.')
    expect(importanceVerdict(more!, more!)).toBe('Matters for the fan and the direction.')
    expect(importanceVerdict(none!, less!)).toBe('Without it the direction would have been better here.')
    expect(importanceVerdict(less!, more!)).toBe(
      'Matters for the direction. Without it the fan would have been better here.',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { createRandom } from './random.ts'
import { type Statistic, studentisedIntervals } from './studentised-intervals.ts'

const random = createRandom(5)
const noise = (n: number) => Float64Array.from({ length: n }, () => random.normal())
const mean: Statistic = { value: ([m]) => m!, slopes: () => [1] }
/** The share of a baseline's loss that a model saves. */
const saved: Statistic = {
  value: ([model, baseline]) => 1 - model! / baseline!,
  slopes: ([model, baseline]) => [-1 / baseline!, model! / baseline! ** 2],
}
const draw = (columns: Float64Array[], statistic: Statistic, more = {}) =>
  studentisedIntervals(columns, [statistic], createRandom(1).next, more)[0]!

describe('a studentised interval', () => {
  it('is about 1.96 / √2400 = 0.04 to either side for the mean of 2,400 normal results', () => {
    const found = draw([noise(2400)], mean)!
    expect(found[1] - found[0]).toBeGreaterThan(0.07)
    expect(found[1] - found[0]).toBeLessThan(0.09)
  })

  it('is 0.01 to either side for a 10 % share of loss with noise of 0.1 on each of 400', () => {
    const baseline = noise(400).map((x) => 2 + 0.1 * x)
    const model = baseline.map((loss, i) => 0.9 * loss + 0.2 * noise(400)[i]!)
    const [low, high] = draw([model, baseline], saved, { block: 24 })!
    expect(low).toBeGreaterThan(0.07)
    expect(low).toBeLessThan(0.1)
    expect(high).toBeGreaterThan(0.1)
    expect(high).toBeLessThan(0.13)
  })

  it('is none with fewer than ten blocks, of nothing, and of what does not vary', () => {
    expect([239, 240].map((n) => draw([noise(n)], mean, { block: 24 }) === null)).toEqual([true, false])
    expect(studentisedIntervals([], [mean], random.next)).toEqual([null])
    expect(draw([new Float64Array(400).fill(0.1)], mean)).toBeNull()
    const baseline = noise(400).map((x) => 2 + 0.1 * x)
    expect(draw([baseline.map((loss) => 0.9 * loss), baseline], saved)).toBeNull()
  })

  it('is none where more than a tenth of the draws has no figure', () => {
    const rare = new Float64Array(1000)
    rare[500] = 1
    const logarithm: Statistic = { value: ([m]) => Math.log(m!), slopes: ([m]) => [1 / m!] }
    expect(draw([rare], logarithm)).toBeNull()
  })
})

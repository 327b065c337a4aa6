import { createRandom } from '@shapecast/engine/random'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { binOf, countBins, decileEdges, stabilityIndex } from './stability-index.ts'

const column = (...values: number[]) => Float64Array.from(values)

describe('bins by deciles', () => {
  it('cut 0 … 99 at 10, 20 … 90, an edge belonging to the bin below it', () => {
    const edges = decileEdges(Float64Array.from({ length: 100 }, (_, i) => i))
    expect(edges).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90])
    expect([10, 10.5, 90, 91].map((value) => binOf(edges, value))).toEqual([0, 1, 8, 9])
  })

  it('merge where values repeat: six zeros of ten leave four edges', () => {
    const edges = decileEdges(column(0, 0, 0, 0, 0, 0, 1, 2, 3, 4))
    expect(edges).toEqual([0, 1, 2, 3, 4])
    expect([...countBins(edges, column(0, 0, 3, 9))]).toEqual([2, 0, 0, 1, 0, 1])
  })

  it('place values below, at and above a constant', () => {
    const edges = decileEdges(new Float64Array(20).fill(5))
    expect([...countBins(edges, column(4.9, 5, 5, 5.1))]).toEqual([1, 2, 1])
    expect([...countBins(decileEdges(new Float64Array(20)), column(-1, 0, 1))]).toEqual([1, 1, 1])
  })
})

describe('the stability index', () => {
  it('is ¼ ln 2 + ¼ ln 1.5 for half and half against one quarter and three', () => {
    expect(stabilityIndex([50, 50], [25, 75])).toBeCloseTo(0.25 * Math.log(2) + 0.25 * Math.log(1.5), 12)
  })

  it('counts an empty bin as half a value: 10 of 10 against 0 of 10 in the first', () => {
    // Shares 1 and 0.05 in the first bin, 0.05 and 1 in the second.
    expect(stabilityIndex([10, 0], [0, 10])).toBeCloseTo(2 * 0.95 * Math.log(20), 12)
  })

  it('says nothing of a bin that is empty on both sides', () => {
    expect(stabilityIndex([50, 0, 50], [25, 0, 75])).toBeCloseTo(stabilityIndex([50, 50], [25, 75]), 12)
  })

  it('is 0 for equal shares, and where a side has no values', () => {
    expect(stabilityIndex([10, 20, 30], [1, 2, 3])).toBe(0)
    expect(stabilityIndex([0, 0], [1, 2])).toBe(0)
  })

  it('is symmetric and never negative or NaN, whatever the counts', () => {
    const counts = fc.array(fc.nat(1000), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        const index = stabilityIndex(a, b)
        expect(index).toBeGreaterThanOrEqual(-1e-12)
        expect(index).toBeCloseTo(stabilityIndex(b, a), 9)
      }),
    )
  })

  it('sees a shift of one deviation far above 0.25, and none in a fresh draw', () => {
    const random = createRandom(3)
    const draw = (shift: number) => Float64Array.from({ length: 4000 }, () => random.normal() + shift)
    const then = draw(0)
    const edges = decileEdges(then)
    const against = (now: Float64Array) => stabilityIndex(countBins(edges, then), countBins(edges, now))
    expect(against(draw(0))).toBeLessThan(0.02)
    expect(against(draw(1))).toBeGreaterThan(0.7)
  })
})

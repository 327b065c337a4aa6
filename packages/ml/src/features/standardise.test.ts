import { describe, expect, it } from 'vitest'
import { fitStandardisation, placeStandardised, standardise } from './standardise.ts'

const near = (value: number) => expect.closeTo(value, 6)

describe('standardisation', () => {
  // Over rows 1, 2 and 3: 2, 4, 9 (mean 5, deviation √(26/3)), and a column that does not vary.
  const columns = [Float64Array.of(1e9, 2, 4, 9, -1e9), Float64Array.of(0, 7, 7, 7, 8)]
  const rows = Int32Array.of(1, 2, 3)

  it('takes mean and population deviation of the given rows alone, and 1 for a column that does not vary', () => {
    expect(fitStandardisation(columns, rows)).toEqual({ mean: [5, 7], sd: [near(Math.sqrt(26 / 3)), 1] })
  })

  it('lays columns side by side, clipped at five deviations to both sides, and 0 where a value is not known', () => {
    const known = [Float64Array.of(12, 1, 16, -6, Number.NaN), Float64Array.of(7, 7, 8, 7, 5)]
    const matrix = standardise(known, { mean: [5, 7], sd: [2, 1] })
    // (12 − 5) / 2 = 3.5, −2, 5.5 is cut to 5, −5.5 to −5.
    expect(Array.from(matrix)).toEqual([3.5, 0, -2, 0, 5, 1, -5, 0, 0, -2])
  })

  it('replaces one column of a matrix from a row on', () => {
    const matrix = new Float32Array(6).fill(9)
    placeStandardised(matrix, 1, Float64Array.of(5, 9, 11), { mean: [0, 7], sd: [1, 2] }, 1)
    expect(Array.from(matrix)).toEqual([9, 9, 9, 1, 9, 2])
  })

  it('returns nothing for no columns', () => expect(standardise([], { mean: [], sd: [] }).length).toBe(0))
})

import { describe, expect, it } from 'vitest'
import { ranks } from './correlation.ts'

describe('ranks', () => {
  it('share the mean where values are equal: 10 20 20 30 are 1, 2.5, 2.5, 4', () => {
    expect(Array.from(ranks([10, 30, 20, 20]))).toEqual([1, 4, 2.5, 2.5])
  })

  it('come to an end where a value is not known', () => expect(ranks([2, Number.NaN, 1])).toHaveLength(3))
})

import { describe, expect, it } from 'vitest'
import { logOf, powerAxis } from './log-axis.ts'

describe('an axis of powers of ten', () => {
  it('reaches from the power below the least to the one above the largest', () => {
    expect(powerAxis([0.4, 35], 0.1, 100)).toEqual({ from: -1, to: 2, ticks: [-1, 0, 1, 2] })
    expect(powerAxis([0.02, 4000], 0.1, 100)).toEqual({ from: -2, to: 4, ticks: [-2, -1, 0, 1, 2, 3, 4] })
  })

  it('leaves ticks out where there would be too many', () => {
    expect(powerAxis([1e12], 0.1, 100).ticks).toEqual([-1, 2, 5, 8, 11])
  })

  it('has a foot for zero', () => {
    expect(logOf(0)).toBe(-3)
    expect(logOf(1000)).toBe(3)
  })
})

import { describe, expect, it } from 'vitest'
import { linearScale, logOf, powerAxis, roundAxis } from './scales.ts'

const SHARE = [0, 1] as const

describe('an axis', () => {
  it('begins and ends at round ticks around its values', () =>
    expect(roundAxis([0.42, 0.61], 4, SHARE)).toEqual({
      from: 0.4,
      to: 0.65,
      ticks: [0.4, 0.45, 0.5, 0.55, 0.6, 0.65],
    }))
  it('does not leave its limits: a share is never above 1', () => expect(roundAxis([0.46, 0.99], 3, SHARE).to).toBe(1))
  it('has a width for one value too', () => {
    const { from, to } = roundAxis([0.5], 4, SHARE)
    expect(to).toBeGreaterThan(from)
  })
})

describe('a scale', () => {
  it('is a straight line, upside down where px grow downwards', () =>
    expect([0, 0.5, 1].map(linearScale(0, 1, 100, 0))).toEqual([100, 50, 0]))
  it('maps a domain without width to the middle', () => expect(linearScale(3, 3, 0, 10)(3)).toBe(5))
})

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

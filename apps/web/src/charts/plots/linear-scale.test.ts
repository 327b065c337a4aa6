import { describe, expect, it } from 'vitest'
import { linearScale, roundAxis } from './linear-scale.ts'

const SHARE = [0, 1] as const

describe('an axis', () => {
  it('begins and ends at round ticks around its values', () =>
    expect(roundAxis([0.42, 0.61], 4, SHARE)).toEqual({
      from: 0.4,
      to: 0.65,
      ticks: [0.4, 0.45, 0.5, 0.55, 0.6, 0.65],
    }))
  it('does not leave its limits: a share is never above 1', () => expect(roundAxis([0.46, 0.99], 3, SHARE).to).toBe(1))
  it('of one value has a width all the same', () => {
    const { from, to } = roundAxis([0.5], 4, SHARE)
    expect(to).toBeGreaterThan(from)
  })
})

describe('a scale', () => {
  it('is a straight line, upside down where px grow downwards', () =>
    expect([0, 0.5, 1].map(linearScale(0, 1, 100, 0))).toEqual([100, 50, 0]))
  it('of a domain without width is its middle', () => expect(linearScale(3, 3, 0, 10)(3)).toBe(5))
})

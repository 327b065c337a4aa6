import { describe, expect, it } from 'vitest'
import { barAxis } from './bar-rows.tsx'

describe('the axis of bars that lie', () => {
  it('holds 0 and every interval with a little room, and has round ticks within', () => {
    const { from, to, ticks } = barAxis([{ value: 2.8, interval: [1.4, 4.2] }])
    expect(from).toBeCloseTo(-0.084, 9)
    expect(to).toBeCloseTo(4.284, 9)
    expect(ticks).toEqual([0, 1, 2, 3, 4])
  })
  it('has a width where no bar has one', () => {
    const { from, to } = barAxis([{ value: 0, interval: [0, 0] }])
    expect(to).toBeGreaterThan(from)
  })
})

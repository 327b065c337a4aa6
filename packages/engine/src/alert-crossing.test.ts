import { describe, expect, it } from 'vitest'
import { type AlertLevel, crosses, hasRested } from './alert-crossing.ts'

const ringsAt = (level: AlertLevel, values: readonly number[]): number[] =>
  values.flatMap((now, i) => (crosses(level, i === 0 ? null : values[i - 1]!, now) ? [i] : []))

describe('an alert', () => {
  it('rings when its value passes the level from below, not while it lies above', () =>
    expect(ringsAt({ level: 100, direction: 'above' }, [99, 101, 102, 98, 100, 101])).toEqual([1, 4]))

  it('rings when its value passes the level from above, not while it lies below', () =>
    expect(ringsAt({ level: 100, direction: 'below' }, [101, 99, 98, 102, 100])).toEqual([1, 4]))

  it('does not ring at its first look, on whichever side the value lies', () => {
    expect(ringsAt({ level: 100, direction: 'above' }, [150, 160])).toEqual([])
    expect(ringsAt({ level: 100, direction: 'below' }, [50, 40])).toEqual([])
  })

  it('does not ring for a value that leaves the level where it stood', () =>
    expect(ringsAt({ level: 100, direction: 'above' }, [100, 101])).toEqual([]))

  it('rests for its minutes after it rang, to the millisecond', () => {
    expect(hasRested(null, 60, 0)).toBe(true)
    expect(hasRested(1_000, 60, 3_600_999)).toBe(false)
    expect(hasRested(1_000, 60, 3_601_000)).toBe(true)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCoarseClock } from './ago.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('coarse clock', () => {
  it('stands for ten seconds, then goes on', () => {
    const clock = createCoarseClock()
    expect(clock.nowMs()).toBe(1_000_000)
    vi.setSystemTime(1_009_999)
    expect(clock.nowMs()).toBe(1_000_000)
    vi.setSystemTime(1_010_000)
    expect(clock.nowMs()).toBe(1_010_000)
  })

  it('tells all who watch at every tick with one timer, and stops it with the last of them', () => {
    const clock = createCoarseClock()
    const [first, second] = [vi.fn(), vi.fn()]
    const leaveFirst = clock.subscribe(first)
    const leaveSecond = clock.subscribe(second)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(20_000)
    expect([first, second].map((listener) => listener.mock.calls.length)).toEqual([2, 2])
    leaveFirst()
    vi.advanceTimersByTime(10_000)
    expect([first, second].map((listener) => listener.mock.calls.length)).toEqual([2, 3])
    leaveSecond()
    expect(vi.getTimerCount()).toBe(0)
  })
})

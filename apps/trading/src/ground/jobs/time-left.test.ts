import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTimeLeft } from './time-left.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tells the time left by the pace since the first look, once something was done', () => {
  const withTimeLeft = createTimeLeft()
  // 40 of 100 were done by an earlier attempt, at a pace that says nothing of this one.
  expect(withTimeLeft({ current: 40, total: 100 })).toEqual({ current: 40, total: 100, leftS: null })
  vi.advanceTimersByTime(20_000)
  // 10 in 20 s: 50 more take 100.
  expect(withTimeLeft({ current: 50, total: 100 })).toEqual({ current: 50, total: 100, leftS: 100 })
  expect(withTimeLeft({ current: 100, total: 100 }).leftS).toBe(0)
})

it('leaves what a job says of its time by itself', () => {
  expect(createTimeLeft()({ current: 1, total: 2, leftS: 7 })).toEqual({ current: 1, total: 2, leftS: 7 })
})

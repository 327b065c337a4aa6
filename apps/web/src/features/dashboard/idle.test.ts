// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchIdle } from './idle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('is told once that somebody is busy, and 15 s after the last activity that nobody is', () => {
  const told: string[] = []
  const unwatch = watchIdle(
    window,
    15_000,
    () => told.push('busy'),
    () => told.push('idle'),
  )
  window.dispatchEvent(new Event('pointermove'))
  vi.advanceTimersByTime(14_000)
  window.dispatchEvent(new Event('keydown'))
  vi.advanceTimersByTime(14_999)
  expect(told).toEqual(['busy'])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['busy', 'idle'])
  unwatch()
  window.dispatchEvent(new Event('wheel'))
  expect(told).toHaveLength(2)
})

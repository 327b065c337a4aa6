// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchIdle } from './torus.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('is told 15 s after the last activity that nobody does anything, and once that somebody does again', () => {
  const told: string[] = []
  const unwatch = watchIdle(
    window,
    15_000,
    () => told.push('busy'),
    () => told.push('idle'),
  )
  vi.advanceTimersByTime(14_000)
  window.dispatchEvent(new Event('pointermove'))
  vi.advanceTimersByTime(14_999)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['idle'])
  window.dispatchEvent(new Event('keydown'))
  window.dispatchEvent(new Event('pointermove'))
  vi.advanceTimersByTime(15_000)
  expect(told).toEqual(['idle', 'busy', 'idle'])
  unwatch()
  window.dispatchEvent(new Event('wheel'))
  expect(told).toHaveLength(3)
})

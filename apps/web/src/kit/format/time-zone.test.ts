// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import {
  chooseTimeZone,
  formatDate,
  formatDateTimeYear,
  formatDayTick,
  formatTableTime,
  useTimeZone,
  zoneWords,
} from './time.ts'

const zoneBefore = process.env.TZ
afterEach(() => {
  chooseTimeZone('utc')
  if (zoneBefore === undefined) delete process.env.TZ
  else process.env.TZ = zoneBefore
})

const MIDNIGHT = Date.UTC(2025, 10, 20)

it('writes clocks in UTC until local time is chosen', () => {
  process.env.TZ = 'America/New_York'
  expect(formatDateTimeYear(MIDNIGHT)).toBe('20 Nov 2025, 00:00 UTC')
  expect(formatDayTick(MIDNIGHT)).toBe('20 Nov')
})

it('writes clocks in local time, with its date, and leaves calendar days in UTC', () => {
  process.env.TZ = 'America/New_York'
  chooseTimeZone('local')
  expect(formatDateTimeYear(MIDNIGHT)).toBe('19 Nov 2025, 19:00 local')
  expect(formatTableTime(MIDNIGHT)).toBe('19 Nov, 19:00')
  expect(formatDayTick(MIDNIGHT)).toBe('19 Nov 19:00')
  expect(formatDate(MIDNIGHT)).toBe('20 Nov 2025')
})

it('draws again what reads the choice, and keeps it for the next visit', () => {
  const { result } = renderHook(() => `${useTimeZone()} ${zoneWords()}`)
  expect(result.current).toBe('utc UTC')
  act(() => chooseTimeZone('local'))
  expect(result.current).toBe('local local time')
  expect(window.localStorage.getItem('timeZone')).toBe('local')
})

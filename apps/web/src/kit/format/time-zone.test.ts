// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'

const zoneBefore = process.env.TZ
afterEach(() => {
  window.localStorage.clear()
  if (zoneBefore === undefined) delete process.env.TZ
  else process.env.TZ = zoneBefore
})

async function timesOf(choice: string | null) {
  process.env.TZ = 'America/New_York'
  if (choice !== null) window.localStorage.setItem('timeZone', choice)
  vi.resetModules()
  return await import('./time.ts')
}
const MIDNIGHT = Date.UTC(2025, 10, 20)

it('writes clocks in UTC until local time is chosen', async () => {
  const times = await timesOf(null)
  expect(times.formatDateTimeYear(MIDNIGHT)).toBe('20 Nov 2025, 00:00 UTC')
  expect(times.formatDayTick(MIDNIGHT)).toBe('20 Nov')
})

it('writes clocks in local time, with its date, and leaves calendar days in UTC', async () => {
  const times = await timesOf('local')
  expect(times.formatDateTimeYear(MIDNIGHT)).toBe('19 Nov 2025, 19:00 local')
  expect(times.formatTableTime(MIDNIGHT)).toBe('19 Nov, 19:00')
  expect(times.formatDayTick(MIDNIGHT)).toBe('19 Nov 19:00')
  expect(times.formatDate(MIDNIGHT)).toBe('20 Nov 2025')
})

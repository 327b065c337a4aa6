import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clockIn, quietUntil } from './notify.ts'

const MINUTE = 60_000
const NIGHT = { isOn: true, from: '22:00', to: '07:00', timeZone: 'UTC' }
const at = (text: string) => Date.parse(text)
const endOf = (quiet: typeof NIGHT, text: string) => {
  const end = quietUntil(quiet, at(text))
  return end === null ? null : new Date(end).toISOString()
}

it('lasts over midnight, and begins and ends to the minute', () => {
  expect(endOf(NIGHT, '2026-11-20T21:59:59Z')).toBeNull()
  expect(endOf(NIGHT, '2026-11-20T22:00:00Z')).toBe('2026-11-21T07:00:00.000Z')
  expect(endOf(NIGHT, '2026-11-21T06:59:59Z')).toBe('2026-11-21T07:00:00.000Z')
  expect(endOf(NIGHT, '2026-11-21T07:00:00Z')).toBeNull()
})

it('quiet hours do not apply while they are off, and lie within a day where they end later than they begin', () => {
  expect(endOf({ ...NIGHT, isOn: false }, '2026-11-20T23:00:00Z')).toBeNull()
  const noon = { ...NIGHT, from: '12:00', to: '13:30' }
  expect(endOf(noon, '2026-11-20T12:10:00Z')).toBe('2026-11-20T13:30:00.000Z')
  expect(endOf(noon, '2026-11-20T22:10:00Z')).toBeNull()
})

it('quiet hours end by the local clock, also in nights in which clocks are changed', () => {
  const berlin = { ...NIGHT, timeZone: 'Europe/Berlin' }
  // 28 March 2027: 02:00 is 03:00. 31 October 2027: 03:00 is 02:00.
  expect(endOf(berlin, '2027-03-27T22:00:00Z')).toBe('2027-03-28T05:00:00.000Z')
  expect(endOf(berlin, '2027-10-30T21:00:00Z')).toBe('2027-10-31T06:00:00.000Z')
  // That night has no half past two: it is over at what the clock shows instead.
  expect(endOf({ ...berlin, to: '02:30' }, '2027-03-28T00:45:00Z')).toBe('2027-03-28T01:30:00.000Z')
})

it('quiet hours end in the future, within a day and an hour, at their clock time, for every moment within them', () => {
  const clock = fc.integer({ min: 0, max: 1_439 }).map((n) => new Date(n * MINUTE).toISOString().slice(11, 16))
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham')
  const time = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z') })
  fc.assert(
    fc.property(clock, clock, zone, time, (from, to, timeZone, nowMs) => {
      fc.pre(from !== to)
      const quiet = { isOn: true, from, to, timeZone }
      const end = quietUntil(quiet, nowMs)
      if (end === null) return
      expect(end).toBeGreaterThan(nowMs)
      expect(end - nowMs).toBeLessThanOrEqual(25 * 60 * MINUTE)
      // Once a year a time is skipped.
      fc.pre(clockIn(timeZone, end) === to)
      expect(quietUntil(quiet, (nowMs + end) / 2)).toBe(end)
    }),
  )
})

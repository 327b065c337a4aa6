import { describe, expect, it } from 'vitest'
import {
  formatAgo,
  formatClock,
  formatDate,
  formatDateRange,
  formatDateTime,
  formatDuration,
  formatExactTime,
  formatTableTime,
} from './time.ts'

const at = (iso: string) => Date.parse(iso)
const now = at('2025-11-20T14:00:05Z')

describe('times', () => {
  it('are in UTC whatever the zone of the machine', () => {
    expect(formatDateTime(now)).toBe('20 Nov, 14:00 UTC')
    expect(formatDateTime(at('2021-11-20T00:00:00Z'), now)).toBe('20 Nov 2021, 00:00 UTC')
    expect(formatDate(at('2025-01-01T00:00:00Z'))).toBe('1 Jan 2025')
    expect(formatExactTime(now)).toBe('20 Nov 2025, 14:00:05 UTC')
    expect(formatTableTime(now)).toBe('20 Nov, 14:00')
    expect(formatClock(now)).toBe('14:00:05 UTC')
  })

  it('say a range with the year once', () => {
    expect(formatDateRange(at('2025-10-21'), at('2025-11-20'))).toBe('21 Oct – 20 Nov 2025')
    expect(formatDateRange(at('2024-12-30'), at('2025-01-02'))).toBe('30 Dec 2024 – 2 Jan 2025')
    expect(formatDateRange(at('2025-01-02T01:00Z'), at('2025-01-02T09:00Z'))).toBe('2 Jan 2025')
  })

  it.each([
    [0, 'just now'],
    [-5_000, 'just now'],
    [1_000, '1 s ago'],
    [59_999, '59 s ago'],
    [12 * 60_000, '12 min ago'],
    [3_600_000, '1 h ago'],
    [2 * 86_400_000, '2 d ago'],
    [30 * 86_400_000, '30 d ago'],
    [31 * 86_400_000, '20 Oct 2025'],
  ])('an age of %d ms is %s', (age, text) => expect(formatAgo(now - age, now)).toBe(text))

  it.each([
    [400, '0.4 s'],
    [12_300, '12 s'],
    [185_000, '3 min 05 s'],
    [7_800_000, '2 h 10 min'],
  ])('a duration of %d ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

  it('are unknown where they are missing or beyond what a date can be', () => {
    expect([formatDate(null), formatAgo(undefined, now), formatDateRange(null, now), formatDate(9e15)]).toEqual([
      '—',
      '—',
      '—',
      '—',
    ])
  })
})

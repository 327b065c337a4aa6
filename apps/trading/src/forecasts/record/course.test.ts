import { describe, expect, it } from 'vitest'
import { courseOf } from './live-scores.ts'

const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000
const sums = (iso: string, hits = 6) => ({
  day: day(iso),
  version: 'v3',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  horizon: 1,
  sealed: 10,
  moved: 10,
  flat: 0,
  hits,
  majorityHits: 5,
  reversalHits: 5,
  brier: 2.4,
  climatologyBrier: 2.5,
  gainSquares: 0.1,
  chanceSquares: 0.1,
  worthCalls: 0,
  paidCalls: 0,
})
const begins = (parts: { from: number }[]) => parts.map(({ from }) => new Date(from).toISOString().slice(0, 10))

describe('the course of a record', () => {
  it('is by day for three weeks, with the figures of each day', () => {
    const { unit, parts } = courseOf([sums('2026-01-01'), sums('2026-01-21', 4)])
    expect(unit).toBe('day')
    expect(begins(parts)).toEqual(['2026-01-01', '2026-01-21'])
    expect(parts.map(({ accuracy }) => accuracy)).toEqual([0.6, 0.4])
    expect(parts[0]).toMatchObject({ outcomes: 10, brier: 0.24 })
    expect(parts[0]!.brierSkill).toBeCloseTo(0.04, 12)
  })

  it('is by week from Monday after that, several series and days together', () => {
    // 2026-01-05 and 2026-01-12 are Mondays.
    const { unit, parts } = courseOf([
      sums('2026-01-05'),
      sums('2026-01-11', 4),
      sums('2026-01-12'),
      { ...sums('2026-02-01'), symbol: 'ETHUSDT' },
    ])
    expect(unit).toBe('week')
    expect(begins(parts)).toEqual(['2026-01-05', '2026-01-12', '2026-01-26'])
    expect(parts[0]).toMatchObject({ outcomes: 20, accuracy: 0.5 })
  })

  it('is by month after half a year', () => {
    const { unit, parts } = courseOf([sums('2025-12-31'), sums('2026-01-01'), sums('2026-07-31')])
    expect(unit).toBe('month')
    expect(begins(parts)).toEqual(['2025-12-01', '2026-01-01', '2026-07-01'])
  })

  it.each([
    ['2026-01-21', 'day'],
    ['2026-01-22', 'week'],
    // The 182nd day, and the one after.
    ['2026-07-01', 'week'],
    ['2026-07-02', 'month'],
  ])('from 1 January to %s is by %s', (last, unit) => {
    expect(courseOf([sums('2026-01-01'), sums(last)]).unit).toBe(unit)
  })

  it('has no parts before the first outcome', () => {
    expect(courseOf([])).toEqual({ unit: 'day', parts: [] })
  })
})

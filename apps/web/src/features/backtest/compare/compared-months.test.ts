import { expect, it } from 'vitest'
import { comparedMonths } from './compared-months.ts'
import { comparisonCsv } from './comparison-csv.ts'

const day = (month: number, date: number) => Date.UTC(2026, month - 1, date)
const course = (initialBalance: number, ...points: [t: number, equity: number][]) => ({
  initialBalance,
  equityCurve: points.map(([t, equity]) => ({ t, equity })),
  trades: [],
})
const early = course(100, [day(1, 30), 50], [day(1, 31), 60], [day(2, 5), 66], [day(2, 6), 33], [day(3, 1), 66])
const late = course(10, [day(1, 31), 11], [day(2, 5), 11], [day(2, 6), 22], [day(3, 1), 11])

it('splits the common range by months, and the one in which the unseen part begins at its first day', () => {
  const { months, returnsPct } = comparedMonths([early, late], day(2, 6))
  expect(months.map(({ name, isSeen }) => [name, isSeen])).toEqual([
    ['Jan 2026', true],
    ['Feb 2026', true],
    ['from 6 Feb', false],
    ['Mar 2026', false],
  ])
  // From 50 to 60, 66, 33 and 66; and from 10 to 11, 11, 22 and 11.
  expect(returnsPct.map((row) => row.map((pct) => Math.round(pct ?? Number.NaN)))).toEqual([
    [20, 10, -50, 100],
    [10, 0, 100, -50],
  ])
})

it('writes the curves in percent since the unseen part began, with a gap where a course has no candle', () => {
  const csv = comparisonCsv(
    [
      { name: 'Small, slow', course: early },
      { name: 'late', course: late },
    ],
    day(2, 6),
  )
  expect(csv.split('\n').slice(0, 3)).toEqual([
    'time,"Small, slow",late',
    '2026-01-30T00:00:00.000Z,-24.2424,',
    '2026-01-31T00:00:00.000Z,-9.0909,0.0000',
  ])
})

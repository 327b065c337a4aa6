import type { RangePart } from '@shapecast/contracts/backtest-results'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candlesFromRows } from './candles.ts'
import { curveOfRun, periodsOf } from './run-periods.ts'

const day = (month: number, date: number) => Date.UTC(2026, month - 1, date)
const curveOf = (initialBalance: number, ...points: [t: number, equity: number][]) =>
  curveOfRun({ initialBalance, equityCurve: points.map(([t, equity]) => ({ t, equity })) })

const curve = curveOf(100, [day(1, 30), 110], [day(1, 31), 99], [day(2, 1), 99], [day(2, 10), 108.9])
const trades = [
  { entryTime: day(1, 31), fees: 0.5 },
  { entryTime: day(2, 10), fees: 0.25 },
]
const seenUntil = (border: number) => ({
  seen: { from: day(1, 30), to: border - 1 } as RangePart,
  unseen: { from: border } as RangePart,
})
const UNSEEN = { seen: null, unseen: null }
const candles = candlesFromRows([
  [day(1, 30), 10, 0, 0, 11, 0],
  [day(1, 31), 11, 0, 0, 12, 0],
  [day(2, 1), 12, 0, 0, 12, 0],
  [day(2, 10), 12, 0, 0, 6, 0],
])

describe('a run by months', () => {
  it('starts each where the one before ended: 100 to 99 by way of 110, then 99 to 108.9', () => {
    const [january, february] = periodsOf(curve, trades, UNSEEN, candles, 'months')
    expect(january).toMatchObject({ from: day(1, 30), to: day(1, 31), trades: 1, fees: 0.5, isSeen: false })
    expect(january?.returnPct).toBeCloseTo(-1)
    expect(january?.maxDrawdownPct).toBeCloseTo(10)
    expect(january?.holdPct).toBeCloseTo(20)
    expect(february?.returnPct).toBeCloseTo(10)
    expect(february?.holdPct).toBeCloseTo(-50)
  })

  it('is split where the unseen part begins', () =>
    expect(
      periodsOf(curve, trades, seenUntil(day(2, 5)), candles, 'months').map(({ from, isSeen, trades: n }) => [
        from,
        isSeen,
        n,
      ]),
    ).toEqual([
      [day(1, 30), true, 1],
      [day(2, 1), true, 0],
      [day(2, 10), false, 1],
    ]))

  it('has no buy and hold without candles, or in a month without any', () => {
    expect(periodsOf(curve, trades, UNSEEN, null, 'months').map(({ holdPct }) => holdPct)).toEqual([null, null])
    const first = candlesFromRows([[day(1, 30), 10, 0, 0, 11, 0]])
    expect(periodsOf(curve, trades, UNSEEN, first, 'months').map(({ holdPct }) => holdPct)).toEqual([
      expect.closeTo(10),
      null,
    ])
  })

  it('returns nothing once all is lost', () =>
    expect(
      periodsOf(curveOf(100, [day(1, 1), 0], [day(2, 1), 0]), [], UNSEEN, null, 'months').map(
        ({ returnPct, maxDrawdownPct }) => [returnPct, maxDrawdownPct],
      ),
    ).toEqual([
      [-100, 100],
      [0, 0],
    ]))
})

it('weekly periods begin on Mondays', () =>
  expect(periodsOf(curve, trades, UNSEEN, null, 'weeks').map(({ from, to }) => [from, to])).toEqual([
    // Friday to Sunday, 1 February 2026, then the Tuesday a week later.
    [day(1, 30), day(2, 1)],
    [day(2, 10), day(2, 10)],
  ]))

const HOUR_MS = 3_600_000
const runs = fc.record({
  equity: fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), { minLength: 1, maxLength: 80 }),
  stepHours: fc.integer({ min: 1, max: 200 }),
  startHour: fc.integer({ min: 0, max: 10_000 }),
  borderAt: fc.integer({ min: 0, max: 79 }),
  entries: fc.array(fc.integer({ min: 0, max: 79 }), { maxLength: 30 }),
  kind: fc.constantFrom('months' as const, 'weeks' as const),
})

it('loses nothing between its periods: growth multiplies up, and candles, trades and fees add up', () =>
  fc.assert(
    fc.property(runs, ({ equity, stepHours, startHour, borderAt, entries, kind }) => {
      const at = (i: number) => (startHour + Math.min(i, equity.length - 1) * stepHours) * HOUR_MS
      const of = curveOf(10, ...equity.map((value, i): [number, number] => [at(i), value]))
      const entered = entries.map((i) => ({ entryTime: at(i), fees: i }))
      const parts = periodsOf(of, entered, seenUntil(at(borderAt)), null, kind)
      const growth = parts.reduce((product, { returnPct }) => product * (1 + returnPct / 100), 1)
      expect(10 * growth).toBeCloseTo(equity.at(-1)!, 6)
      expect(parts.reduce((sum, part) => sum + part.trades, 0)).toBe(entries.length)
      expect(parts.reduce((sum, { fees }) => sum + fees, 0)).toBe(entries.reduce((sum, fee) => sum + fee, 0))
      expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([at(0), at(equity.length - 1)])
      expect(parts.map(({ from }) => from)).toContain(at(borderAt))
    }),
  ))

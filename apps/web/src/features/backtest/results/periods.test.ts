import type { BacktestRun } from '@shapecast/contracts/backtest'
import { describe, expect, it } from 'vitest'
import { periodsOf } from './periods.ts'

const day = (month: number, date: number) => Date.UTC(2026, month - 1, date)
const run = (border: number | null) =>
  ({
    initialBalance: 100,
    equityCurve: [
      { t: day(1, 30), equity: 110 },
      { t: day(1, 31), equity: 99 },
      { t: day(2, 1), equity: 99 },
      { t: day(2, 10), equity: 108.9 },
    ],
    trades: [
      { entryTime: day(1, 31), fees: 0.5 },
      { entryTime: day(2, 10), fees: 0.25 },
    ],
    seen: {
      ranges: [],
      seen: border === null ? null : { from: day(1, 30), to: border - 1 },
      unseen: border === null ? null : { from: border },
    },
  }) as unknown as BacktestRun
const candles = [
  [day(1, 30), 10, 0, 0, 11, 0],
  [day(1, 31), 11, 0, 0, 12, 0],
  [day(2, 1), 12, 0, 0, 12, 0],
  [day(2, 10), 12, 0, 0, 6, 0],
] as [number, number, number, number, number, number][]

describe('a run by months', () => {
  it('starts each where the one before ended: 100 to 99, then 99 to 108.9', () => {
    const [january, february] = periodsOf(run(null), candles, 'months')
    expect(january).toMatchObject({ trades: 1, fees: 0.5, isSeen: false })
    expect(january?.returnPct).toBeCloseTo(-1)
    expect(january?.drawdownPct).toBeCloseTo(10)
    expect(january?.holdPct).toBeCloseTo(20)
    expect(february?.returnPct).toBeCloseTo(10)
    expect(february?.holdPct).toBeCloseTo(-50)
  })
  it('is split where the unseen part begins', () => {
    const parts = periodsOf(run(day(2, 5)), candles, 'months')
    expect(parts.map(({ from, isSeen }) => [from, isSeen])).toEqual([
      [day(1, 30), true],
      [day(2, 1), true],
      [day(2, 10), false],
    ])
  })
})

it('by weeks begins on Mondays', () =>
  expect(periodsOf(run(null), [], 'weeks').map(({ from, to, holdPct }) => [from, to, holdPct])).toEqual([
    // Friday to Sunday, 1 February 2026, then the Tuesday a week later.
    [day(1, 30), day(2, 1), null],
    [day(2, 10), day(2, 10), null],
  ]))

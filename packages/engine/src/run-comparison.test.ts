import type { RangePart, RunIntervals } from '@shapecast/contracts/backtest-results'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candlesFromRows } from './candles.ts'
import { compareRuns } from './run-comparison.ts'

type Run = Parameters<typeof compareRuns>[0][number]

const HOUR_MS = 3_600_000
const equityOf = (...equity: number[]) => equity.map((value, i) => ({ t: i * HOUR_MS, equity: value }))
const run = (_id: string, equity: number[], more: Partial<Run> = {}): Run => ({
  _id,
  startTime: 0,
  endTime: (equity.length - 1) * HOUR_MS,
  initialBalance: 100,
  equityCurve: equityOf(...equity),
  trades: [],
  seen: { ranges: [], seen: null, unseen: null },
  ...more,
})
const part = (from: number, to: number, interval?: [number, number] | null): RangePart =>
  ({
    from: from * HOUR_MS,
    to: to * HOUR_MS,
    ...(interval === undefined ? {} : { intervals: { totalReturnPct: interval } as RunIntervals }),
  }) as RangePart
/** Its model had seen the first two of four hours. */
const learnt = (_id: string, equity: number[], interval?: [number, number] | null): Run =>
  run(_id, equity, { seen: { ranges: [], seen: part(0, 1), unseen: part(2, 3, interval) } })
const plain = run('a', [100, 200, 210, 220])
const candles = candlesFromRows([10, 12, 6, 9].map((close, i) => [i * HOUR_MS, close, close, close, close, 1]))

describe('runs beside each other', () => {
  const found = compareRuns([learnt('b', [100, 150, 120, 180]), plain], candles)

  it('are judged from where the latest model has seen nothing: 150 to 180 by way of 120, and 200 to 220', () => {
    expect(found.stretch).toEqual({ from: 2 * HOUR_MS, to: 3 * HOUR_MS })
    expect(found.ranking.map(({ runId }) => runId)).toEqual(['b', 'a'])
    expect(found.ranking[0]?.returnPct).toBeCloseTo(20, 9)
    expect(found.ranking[0]?.maxDrawdownPct).toBeCloseTo(20, 9)
    expect(found.ranking[1]?.returnPct).toBeCloseTo(10, 9)
    expect(found.ranking[1]?.maxDrawdownPct).toBe(0)
  })

  it('stand beside holding the coin, from the close of 12 to that of 9 by way of 6', () =>
    expect(found.hold).toMatchObject({ runId: null, returnPct: -25, maxDrawdownPct: 50, trades: 0 }))

  it('have curves in percent since the stretch began, in the order in which they were named', () => {
    expect(found.curves.map(({ runId }) => runId)).toEqual(['b', 'a', null])
    expect(found.curves[1]?.points).toEqual([
      [0, -50],
      [HOUR_MS, 0],
      [2 * HOUR_MS, expect.closeTo(5, 9)],
      [3 * HOUR_MS, expect.closeTo(10, 9)],
    ])
  })

  it('have no yardstick without candles', () => {
    const without = compareRuns([plain, plain], null)
    expect([without.hold, without.curves.length]).toEqual([null, 2])
  })

  it('count the trades that were entered in the stretch, and the money that they won and lost', () => {
    const traded = {
      ...plain,
      trades: [50, 6, -4].map((netPnL, i) => ({ entryTime: (i + 1) * HOUR_MS, netPnL })) as never,
    }
    const [first] = compareRuns([traded, learnt('b', [100, 100, 100, 100])], null).ranking
    expect(first).toMatchObject({ runId: 'a', trades: 2, profitFactor: 1.5 })
  })

  it('have no common stretch when they do not overlap or were judged all over', () => {
    const seen = run('c', [1, 1, 1, 1], { seen: { ranges: [], seen: part(0, 3), unseen: null } })
    const later = run('d', [1, 1, 1, 1], { startTime: 9 * HOUR_MS, endTime: 12 * HOUR_MS })
    const nothing = { verdict: 'nothing_unseen', stretch: null, ranking: [], hold: null, months: [], curves: [] }
    expect(compareRuns([plain, seen], candles)).toEqual(nothing)
    expect(compareRuns([plain, later], candles)).toEqual(nothing)
  })

  it('rank one that had ended before the stretch below one that lost in it', () => {
    const [ended, losing] = [run('c', [100, 57, 57, 57]), learnt('d', [100, 150, 120, 90])]
    expect(compareRuns([ended, losing], candles).ranking.map(({ runId }) => runId)).toEqual(['d', 'c'])
  })
})

describe('the winner', () => {
  const verdict = (best: [number, number] | null, other: [number, number] | null | undefined) =>
    compareRuns([learnt('a', [100, 100, 100, 107], best), learnt('b', [100, 100, 100, 101], other)], null).verdict

  it.each([
    ['winner', [5, 9], [-3, 4]],
    ['no_winner', [5, 9], [-3, 6]],
    ['no_winner', [5, 9], [-3, 5]],
    ['no_winner', [0, 9], [-3, -1]],
    ['no_winner', [5, 9], null],
    ['no_winner', null, [-3, 4]],
    ['no_winner', [5, 9], undefined],
  ] as const)('is %s where the best has an interval of %j and the other one of %j', (code, best, other) =>
    expect(verdict(best && [...best], other && [...other])).toBe(code),
  )

  it('is none where a run was judged on another stretch than its own', () => {
    const own = run('a', [100, 100, 100, 107], { seen: { ranges: [], seen: null, unseen: part(0, 3, [5, 9]) } })
    const found = compareRuns([own, learnt('b', [100, 100, 100, 101], [-3, 4])], null)
    expect([found.verdict, found.ranking[0]?.intervals]).toEqual(['no_winner', null])
  })
})

describe('the months of the range that all have', () => {
  const day = (month: number, date: number) => Date.UTC(2026, month - 1, date)
  const dated = (_id: string, initialBalance: number, ...points: [t: number, equity: number][]): Run => ({
    ...run(_id, []),
    initialBalance,
    startTime: points[0]![0],
    endTime: points.at(-1)![0],
    equityCurve: points.map(([t, equity]) => ({ t, equity })),
    seen: { ranges: [], seen: part(0, 1), unseen: { from: day(2, 6), to: day(3, 1) } as RangePart },
  })
  const early = dated('a', 100, [day(1, 30), 50], [day(1, 31), 60], [day(2, 5), 66], [day(2, 6), 33], [day(3, 1), 66])
  const late = dated('b', 10, [day(1, 31), 11], [day(2, 5), 11], [day(2, 6), 22], [day(3, 1), 11])

  it('are split where the unseen stretch begins', () => {
    const { months, curves } = compareRuns([early, late], null)
    expect(months).toEqual([
      { from: day(1, 31), isSeen: true },
      { from: day(2, 5), isSeen: true },
      { from: day(2, 6), isSeen: false },
      { from: day(3, 1), isSeen: false },
    ])
    // From 50 to 60, 66, 33 and 66; and from 10 to 11, 11, 22 and 11.
    expect(curves.map(({ monthsPct }) => monthsPct.map((pct) => Math.round(pct ?? Number.NaN)))).toEqual([
      [20, 10, -50, 100],
      [10, 0, 100, -50],
    ])
  })
})

const equities = fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), { minLength: 4, maxLength: 4 })

it('ranks by return whatever the order in which runs are named, and never names a winner without intervals', () =>
  fc.assert(
    fc.property(fc.array(equities, { minLength: 2, maxLength: 5 }), (all) => {
      const runs = all.map((equity, i) => run(String(i), equity))
      const { ranking, verdict } = compareRuns(runs, candles)
      const returns = ranking.map(({ returnPct }) => returnPct)
      expect(returns.filter((pct) => pct !== 0)).toEqual(returns.filter((pct) => pct !== 0).sort((a, b) => b - a))
      expect(compareRuns(runs.toReversed(), candles).ranking.map(({ returnPct }) => returnPct)).toEqual(returns)
      expect(verdict).toBe('no_winner')
    }),
  ))

import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { Trade } from '@shapecast/contracts/backtest-results'
import type { ComparedRun, RunComparison } from '@shapecast/contracts/run-comparison'
import type { Candles } from './candles.ts'
import { maxDrawdownPct } from './indicators/drawdown.ts'
import { curveOfRun, type EquityCurve, partBetween, returnPctOf, splitByPeriod } from './run-periods.ts'
import { thinPoints } from './thin-points.ts'

/** Of a curve; saved runs keep as many. */
const MOST_POINTS = 10_000

type Run = Pick<BacktestRun, '_id' | 'startTime' | 'endTime' | 'seen' | 'initialBalance' | 'equityCurve' | 'trades'>

/** A run, or holding the coin (`runId` null). */
interface ComparedCurve {
  readonly runId: string | null
  readonly curve: EquityCurve
  readonly trades: readonly Pick<Trade, 'entryTime' | 'netPnL'>[]
}

interface Stretch {
  readonly from: number
  readonly to: number
}

/** The candles that all runs have and that no model of any of them has seen; null if there are none. */
function unseenStretch(runs: readonly Run[]): Stretch | null {
  const from = Math.max(
    ...runs.map(({ seen, startTime, endTime }) =>
      seen.seen === null ? startTime : (seen.unseen?.from ?? endTime + 1),
    ),
  )
  const to = Math.min(...runs.map(({ endTime }) => endTime))
  return from > to ? null : { from, to }
}

/** Holding the coin: bought at the first open. */
const holding = ({ length, ts, open, close }: Candles): ComparedCurve => ({
  runId: null,
  curve: { initialBalance: open[0]!, length, ts, equity: close },
  trades: [],
})

function judge({ runId, curve, trades }: ComparedCurve, { from, to }: Stretch): ComparedRun {
  const part = partBetween(curve, from, to)
  const entered = trades.filter(({ entryTime }) => entryTime >= from && entryTime <= to)
  const sum = (sign: 1 | -1) => entered.reduce((total, { netPnL }) => total + Math.max(0, sign * netPnL), 0)
  const lost = sum(-1)
  return {
    runId,
    returnPct: returnPctOf(curve, part),
    maxDrawdownPct: maxDrawdownPct(curve.equity, part.before, part.first, part.end),
    trades: entered.length,
    profitFactor: lost === 0 ? null : sum(1) / lost,
    intervals: null,
  }
}

/** The intervals of a run's own unseen part, where that is the stretch. */
const intervalsOn = ({ seen: { unseen } }: Run, { from, to }: Stretch): ComparedRun['intervals'] =>
  unseen?.from === from && unseen.to <= to ? (unseen.intervals ?? null) : null

/** Whether it did nothing in the stretch, as one that had ended before: no return to be ranked by. */
const isIdle = ({ trades, returnPct }: ComparedRun): boolean => trades === 0 && returnPct === 0

/** Whether the first one is better by more than chance: its interval lies above 0 and above those of all others. */
function hasWinner([first, ...others]: readonly ComparedRun[]): boolean {
  const low = first?.intervals?.totalReturnPct?.[0]
  return (
    low !== undefined &&
    low > 0 &&
    others.every(({ intervals }) => intervals?.totalReturnPct != null && intervals.totalReturnPct[1] < low)
  )
}

/** The months of the range that all courses have, with the return of each course in each. */
function monthsOf(curves: readonly ComparedCurve[], border: number) {
  const from = Math.max(...curves.map(({ curve }) => curve.ts[0] ?? 0))
  const to = Math.min(...curves.map(({ curve }) => curve.ts.at(-1) ?? 0))
  const split = curves.map(({ curve }) => {
    const parts = splitByPeriod(curve, partBetween(curve, from, to), 'months', border)
    return new Map(parts.map((part) => [curve.ts[part.first]!, returnPctOf(curve, part)]))
  })
  const starts = [...(split[0]?.keys() ?? [])]
  return {
    months: starts.map((start) => ({ from: start, isSeen: start < border })),
    monthsPct: split.map((parts) => starts.map((start) => parts.get(start) ?? null)),
  }
}

/** The percent gained since the candle that opens at `from`. */
function pointsSince({ curve }: ComparedCurve, from: number): [t: number, pct: number][] {
  const { before } = partBetween(curve, from, from)
  return thinPoints(curve.equity, MOST_POINTS).map((i) => [
    curve.ts[i]!,
    before === 0 ? 0 : 100 * (curve.equity[i]! / before - 1),
  ])
}

/**
 * Runs of one market on the stretch that no model of any of them has seen, ranked by what they returned there, beside holding
 * the coin over `candles`, where they are at hand.
 */
export function compareRuns(runs: readonly Run[], candles: Candles | null): Omit<RunComparison, 'runs'> {
  const stretch = unseenStretch(runs)
  if (stretch === null) return { verdict: 'nothing_unseen', stretch, ranking: [], hold: null, months: [], curves: [] }
  const curves = runs.map((run): ComparedCurve => ({ runId: run._id, curve: curveOfRun(run), trades: run.trades }))
  const ranking = curves
    .map((run, i) => ({ ...judge(run, stretch), intervals: intervalsOn(runs[i]!, stretch) }))
    .sort((a, b) => Number(isIdle(a)) - Number(isIdle(b)) || b.returnPct - a.returnPct)
  const held = candles === null || candles.length === 0 ? null : holding(candles)
  const all = held === null ? curves : [...curves, held]
  const { months, monthsPct } = monthsOf(all, stretch.from)
  return {
    verdict: hasWinner(ranking) ? 'winner' : 'no_winner',
    stretch,
    ranking,
    hold: held === null ? null : judge(held, stretch),
    months,
    curves: all.map((run, i) => ({
      runId: run.runId,
      points: pointsSince(run, stretch.from),
      monthsPct: monthsPct[i]!,
    })),
  }
}

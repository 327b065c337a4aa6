import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { RunPeriod, Trade } from '@shapecast/contracts/backtest-results'
import { type Candles, indexAtOrAfter } from './candles.ts'
import { maxDrawdownPct } from './indicators/drawdown.ts'

/** What money became: open times in ms, oldest first, with the equity (quote) at their closes. */
export interface EquityCurve {
  readonly initialBalance: number
  readonly length: number
  readonly ts: Float64Array
  readonly equity: Float64Array
}

/** The curve of a saved run. */
export const curveOfRun = ({ initialBalance, equityCurve }: Pick<BacktestRun, 'initialBalance' | 'equityCurve'>) => ({
  initialBalance,
  length: equityCurve.length,
  ts: Float64Array.from(equityCurve, ({ t }) => t),
  equity: Float64Array.from(equityCurve, ({ equity }) => equity),
})

/** Points `first` (included) to `end` (left out) of a curve, and the equity before the first of them. */
export interface CurvePart {
  readonly first: number
  readonly end: number
  readonly before: number
}

export type PeriodKind = 'months' | 'weeks'

const DAY_MS = 86_400_000

/** The beginning of the month or (Monday) week that follows the one in which `ms` lies, UTC. */
function nextStart(ms: number, kind: PeriodKind): number {
  const date = new Date(ms)
  if (kind === 'months') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  const day = Math.floor(ms / DAY_MS)
  // The first day of the epoch was a Thursday.
  return (day - ((day + 3) % 7) + 7) * DAY_MS
}

/** The equity before the point `index`. */
const before = ({ initialBalance, equity }: EquityCurve, index: number): number =>
  index === 0 ? initialBalance : equity[index - 1]!

/** The points of a curve from one open time to another, both included. */
export function partBetween(curve: EquityCurve, from: number, to: number): CurvePart {
  const first = indexAtOrAfter(curve, from)
  return { first, end: indexAtOrAfter(curve, to + 1), before: before(curve, first) }
}

/** A part of a curve by months or weeks, UTC; one that holds `border` is split there. */
export function splitByPeriod(
  curve: EquityCurve,
  { first, end }: Pick<CurvePart, 'first' | 'end'>,
  kind: PeriodKind,
  border: number | null,
): CurvePart[] {
  const parts: CurvePart[] = []
  for (let i = first; i < end; ) {
    const ts = curve.ts[i]!
    const next = nextStart(ts, kind)
    const endsAt = border !== null && ts < border && border < next ? border : next
    const part = { first: i, end: Math.min(end, indexAtOrAfter(curve, endsAt)), before: before(curve, i) }
    parts.push(part)
    i = part.end
  }
  return parts
}

/** What a part of a curve returned, percent; 0 where there was nothing. */
export const returnPctOf = ({ equity }: EquityCurve, { first, end, before: start }: CurvePart): number =>
  start === 0 || end === first ? 0 : 100 * (equity[end - 1]! / start - 1)

/**
 * A run by months or weeks, split where its unseen part begins. `trades` are counted where they were entered; buy and hold is
 * that of `candles`, where they are at hand.
 */
export function periodsOf(
  curve: EquityCurve,
  trades: readonly Pick<Trade, 'entryTime' | 'fees'>[],
  { seen, unseen }: Pick<BacktestRun['seen'], 'seen' | 'unseen'>,
  candles: Candles | null,
  kind: PeriodKind,
): RunPeriod[] {
  const border = seen === null ? null : (unseen?.from ?? null)
  const parts = splitByPeriod(curve, { first: 0, end: curve.length }, kind, border)
  const periods = parts.map((part): RunPeriod => {
    const from = curve.ts[part.first]!
    const to = curve.ts[part.end - 1]!
    return {
      from,
      to,
      isSeen: seen !== null && from >= seen.from && from <= seen.to,
      returnPct: returnPctOf(curve, part),
      holdPct: candles === null ? null : holdPct(candles, from, to),
      maxDrawdownPct: maxDrawdownPct(curve.equity, part.before, part.first, part.end),
      trades: 0,
      fees: 0,
    }
  })
  for (const { entryTime, fees } of trades) {
    const period = periods.findLast(({ from }) => from <= entryTime)
    if (period === undefined) continue
    period.trades++
    period.fees += fees
  }
  return periods
}

/** From the first open to the last close of the candles between two open times, percent; null without any. */
function holdPct(candles: Candles, from: number, to: number): number | null {
  const first = indexAtOrAfter(candles, from)
  const end = indexAtOrAfter(candles, to + 1)
  return first < end ? 100 * (candles.close[end - 1]! / candles.open[first]! - 1) : null
}

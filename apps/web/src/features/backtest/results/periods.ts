import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { CandleRow } from '@shapecast/contracts/market'

export type PeriodKind = 'months' | 'weeks'

/** One month or week of a run, or the part of it on one side of where the unseen part begins. */
export interface Period {
  /** Open times of its first and last candle, ms. */
  readonly from: number
  readonly to: number
  readonly isSeen: boolean
  /** Percent, after costs. */
  readonly returnPct: number
  /** Percent, without costs; null where the candles are not at hand. */
  readonly holdPct: number | null
  /** Percent, 0 or more. */
  readonly drawdownPct: number
  readonly trades: number
  /** Quote. */
  readonly fees: number
}

const DAY_MS = 86_400_000

/** The beginning of the month or (Monday) week that follows the one in which `ms` lies. */
function nextStart(ms: number, kind: PeriodKind): number {
  const date = new Date(ms)
  if (kind === 'months') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  const day = Math.floor(ms / DAY_MS)
  // The first day of the epoch was a Thursday.
  return (day - ((day + 3) % 7) + 7) * DAY_MS
}

type PeriodsRun = Pick<BacktestRun, 'equityCurve' | 'initialBalance' | 'trades' | 'seen'>
type Curve = Pick<BacktestRun, 'equityCurve' | 'initialBalance'>

interface CurvePart {
  /** Open times of its first and last candle, ms. */
  readonly from: number
  to: number
  /** Equity before the first of them. */
  readonly before: number
  readonly equity: number[]
}

/** A curve by months or weeks, UTC; one that holds `border` is split there. */
export function splitCurve(
  { equityCurve, initialBalance }: Curve,
  kind: PeriodKind,
  border: number | null,
): CurvePart[] {
  const parts: CurvePart[] = []
  let endsAt = Number.NEGATIVE_INFINITY
  let previous = initialBalance
  for (const { t, equity } of equityCurve) {
    if (t >= endsAt) {
      parts.push({ from: t, to: t, before: previous, equity: [] })
      endsAt = nextStart(t, kind)
      if (border !== null && t < border && border < endsAt) endsAt = border
    }
    const part = parts.at(-1)!
    part.to = t
    part.equity.push(equity)
    previous = equity
  }
  return parts
}

/** What a part of a curve returned, percent. */
export const partReturnPct = ({ before, equity }: CurvePart): number =>
  before === 0 ? 0 : 100 * (equity.at(-1)! / before - 1)

/** The run by months or weeks, UTC; one that holds the border of the unseen part is split there. */
export function periodsOf(run: PeriodsRun, candles: readonly CandleRow[], kind: PeriodKind): Period[] {
  const border = run.seen.seen === null ? null : (run.seen.unseen?.from ?? null)
  return splitCurve(run, kind, border).map((part) => {
    const { from, to, equity, before } = part
    let peak = before
    let drawdown = 0
    for (const value of equity) {
      peak = Math.max(peak, value)
      if (peak > 0) drawdown = Math.max(drawdown, 1 - value / peak)
    }
    const rows = candles.filter((row) => row[0] >= from && row[0] <= to)
    const first = rows[0]
    const trades = run.trades.filter((trade) => trade.entryTime >= from && trade.entryTime <= to)
    return {
      from,
      to,
      isSeen: run.seen.seen !== null && from >= run.seen.seen.from && from <= run.seen.seen.to,
      returnPct: partReturnPct(part),
      holdPct: first === undefined ? null : 100 * (rows.at(-1)![4] / first[1] - 1),
      drawdownPct: 100 * drawdown,
      trades: trades.length,
      fees: trades.reduce((sum, trade) => sum + trade.fees, 0),
    }
  })
}

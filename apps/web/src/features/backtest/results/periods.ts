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

/** The run by months or weeks, UTC; one that holds the border of the unseen part is split there. */
export function periodsOf(run: PeriodsRun, candles: readonly CandleRow[], kind: PeriodKind): Period[] {
  const border = run.seen.seen === null ? null : (run.seen.unseen?.from ?? null)
  const groups: { from: number; to: number; equity: number[]; before: number }[] = []
  let endsAt = Number.NEGATIVE_INFINITY
  let previous = run.initialBalance
  for (const { t, equity } of run.equityCurve) {
    if (t >= endsAt) {
      groups.push({ from: t, to: t, equity: [], before: previous })
      endsAt = nextStart(t, kind)
      if (border !== null && t < border && border < endsAt) endsAt = border
    }
    const group = groups.at(-1)!
    group.to = t
    group.equity.push(equity)
    previous = equity
  }
  return groups.map(({ from, to, equity, before }) => {
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
      returnPct: before === 0 ? 0 : 100 * (equity.at(-1)! / before - 1),
      holdPct: first === undefined ? null : 100 * (rows.at(-1)![4] / first[1] - 1),
      drawdownPct: 100 * drawdown,
      trades: trades.length,
      fees: trades.reduce((sum, trade) => sum + trade.fees, 0),
    }
  })
}

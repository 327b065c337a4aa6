import type { BacktestRun } from '@shapecast/contracts/backtest'
import { formatLeverage } from '../../../shared/format/number.ts'
import { formatBps, formatFeeRate, formatLimitPct } from '../../../shared/format/percent.ts'
import { formatDateRange } from '../../../shared/format/time.ts'
import { runName } from '../../../shared/runs/run-name.ts'
import { runModelText } from '../saved-runs/run-summary.ts'

/** A run on the stretch that all of them share and none of their models has seen. */
export interface ComparedRun {
  readonly run: BacktestRun
  /** Percent. */
  readonly returnPct: number
  readonly drawdownPct: number
  readonly trades: number
  readonly profitFactor: number | null
  /** 95 %, percent; null where the run was judged on another stretch, or from before it was worked out. */
  readonly interval: readonly [number, number] | null
}

/** Open time of the first candle that no model of any of the runs has seen, within all ranges; ms. */
export const unseenStart = (runs: readonly BacktestRun[]): number =>
  Math.max(...runs.map((run) => (run.seen.seen === null ? run.startTime : (run.seen.unseen?.from ?? run.endTime + 1))))

function judge(run: BacktestRun, from: number, to: number): ComparedRun {
  const base = run.equityCurve.findLast(({ t }) => t < from)?.equity ?? run.initialBalance
  let [peak, drawdown, last] = [base, 0, base]
  for (const { t, equity } of run.equityCurve) {
    if (t < from || t > to) continue
    last = equity
    peak = Math.max(peak, equity)
    if (peak > 0) drawdown = Math.max(drawdown, 1 - equity / peak)
  }
  const trades = run.trades.filter(({ entryTime }) => entryTime >= from && entryTime <= to)
  const sum = (sign: 1 | -1) => trades.reduce((total, { netPnL }) => total + Math.max(0, sign * netPnL), 0)
  const lost = sum(-1)
  const isItsOwn = run.seen.unseen?.from === from && run.seen.unseen.to <= to
  return {
    run,
    returnPct: base === 0 ? 0 : 100 * (last / base - 1),
    drawdownPct: 100 * drawdown,
    trades: trades.length,
    profitFactor: lost === 0 ? null : sum(1) / lost,
    interval: isItsOwn ? (run.seen.unseen?.uncertainty?.totalReturnPct ?? null) : null,
  }
}

/** The runs on their common unseen stretch, the best return first; null where they have none. */
export function compareRuns(runs: readonly BacktestRun[]): { from: number; to: number; ranked: ComparedRun[] } | null {
  const from = unseenStart(runs)
  const to = Math.min(...runs.map((run) => run.endTime))
  if (from > to) return null
  const ranked = runs.map((run) => judge(run, from, to)).sort((a, b) => b.returnPct - a.returnPct)
  return { from, to, ranked }
}

/** Whether the first one is better by more than chance, as far as intervals tell. */
export function hasWinner([first, ...others]: readonly ComparedRun[]): boolean {
  const low = first?.interval?.[0]
  return low !== undefined && low > 0 && others.every(({ interval }) => interval !== null && interval[1] < low)
}

/** Settings of the runs, row by row; `differs` where they are not all the same. */
export function settingRows(runs: readonly BacktestRun[]): { label: string; values: string[]; differs: boolean }[] {
  const settings: [string, (run: BacktestRun) => string][] = [
    ['Bot or model', runName],
    ['Model', (run) => runModelText(run.params) ?? '—'],
    ['Market', ({ params }) => (params.marketType === 'spot' ? 'Spot' : `Futures ${formatLeverage(params.leverage)}`)],
    ['Position size', ({ params }) => String(params.positionSize)],
    ['Initial balance', (run) => String(run.initialBalance)],
    ['Max drawdown', ({ params }) => formatLimitPct(params.maxDrawdown)],
    ['Range', (run) => formatDateRange(run.startTime, run.endTime)],
    ['Fee', ({ params }) => formatFeeRate(params.feeRate)],
    ['Slippage', ({ params }) => formatBps(params.slippageBps)],
  ]
  return settings.map(([label, text]) => {
    const values = runs.map(text)
    return { label, values, differs: new Set(values).size > 1 }
  })
}

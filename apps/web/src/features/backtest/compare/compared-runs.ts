import type { BacktestRun, RunIntervals } from '@shapecast/contracts/backtest'
import type { CandleRow } from '@shapecast/contracts/market'
import { runName } from '#entities/runs/run-name.ts'
import { formatMoney } from '#kit/format/money.ts'
import { formatLeverage } from '#kit/format/number.ts'
import { formatBps, formatFeeRate, formatLimitPct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { runModelText, runSizeWords } from '../results/run-summary.ts'

/** What money became over a stretch: a run, or holding the coin. */
export type Course = Pick<BacktestRun, 'equityCurve' | 'initialBalance' | 'trades'>

/** A run on the stretch that all of them share and none of their models has seen. */
export interface ComparedRun {
  /** Null for holding the coin, the yardstick. */
  readonly run: BacktestRun | null
  readonly name: string
  /** Percent. */
  readonly returnPct: number
  readonly drawdownPct: number
  readonly trades: number
  readonly profitFactor: number | null
  /** 95 %, percent; null where nothing was traded, the run was judged on another stretch, or is from before it was worked out. */
  readonly interval: readonly [number, number] | null
  readonly intervals?: RunIntervals | undefined
}

/** Open time of the first candle that no model of any of the runs has seen, within all ranges; ms. */
export const unseenStart = (runs: readonly BacktestRun[]): number =>
  Math.max(...runs.map((run) => (run.seen.seen === null ? run.startTime : (run.seen.unseen?.from ?? run.endTime + 1))))

/** Equity before the stretch that begins at `from`. */
export const baseAt = ({ equityCurve, initialBalance }: Course, from: number): number =>
  equityCurve.findLast(({ t }) => t < from)?.equity ?? initialBalance

/** Holding the coin over candles: bought at their first open. */
export const holding = (candles: readonly CandleRow[]): Course => ({
  initialBalance: candles[0]?.[1] ?? 0,
  equityCurve: candles.map((row) => ({ t: row[0], equity: row[4] })),
  trades: [],
})

function judge(run: Course, from: number, to: number): Omit<ComparedRun, 'run' | 'name' | 'interval' | 'intervals'> {
  const base = baseAt(run, from)
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
  return {
    returnPct: base === 0 ? 0 : 100 * (last / base - 1),
    drawdownPct: 100 * drawdown,
    trades: trades.length,
    profitFactor: lost === 0 ? null : sum(1) / lost,
  }
}

function judgeRun(run: BacktestRun, name: string, from: number, to: number): ComparedRun {
  const isItsOwn = run.seen.unseen?.from === from && run.seen.unseen.to <= to
  const intervals = isItsOwn ? run.seen.unseen?.intervals : undefined
  return { run, name, intervals, interval: intervals?.totalReturnPct ?? null, ...judge(run, from, to) }
}

/** Whether it did nothing in the stretch, as one that had ended before: no return to be ranked by. */
const isIdle = ({ trades, returnPct }: ComparedRun) => trades === 0 && returnPct === 0

export const HOLD_NAME = 'Buy and hold'

export interface Comparison {
  /** Open times of the first and last candle of the common unseen stretch, ms. */
  readonly from: number
  readonly to: number
  /** The best return first, what did nothing last. */
  readonly ranked: readonly ComparedRun[]
  /** Null where the candles are not at hand. */
  readonly hold: ComparedRun | null
}

/** The runs on their common unseen stretch, beside holding the coin; null where they have none. */
export function compareRuns(runs: readonly BacktestRun[], candles: readonly CandleRow[]): Comparison | null {
  const from = unseenStart(runs)
  const to = Math.min(...runs.map((run) => run.endTime))
  if (from > to) return null
  const names = comparedNames(runs)
  const ranked = runs
    .map((run, i) => judgeRun(run, names[i]!, from, to))
    .sort((a, b) => Number(isIdle(a)) - Number(isIdle(b)) || b.returnPct - a.returnPct)
  const hold =
    candles.length === 0 ? null : { run: null, name: HOLD_NAME, interval: null, ...judge(holding(candles), from, to) }
  return { from, to, ranked, hold }
}

/** Whether the first one is better by more than chance, as far as intervals tell. */
export function hasWinner([first, ...others]: readonly ComparedRun[]): boolean {
  const low = first?.interval?.[0]
  return low !== undefined && low > 0 && others.every(({ interval }) => interval !== null && interval[1] < low)
}

/** What the runs are called beside each other: where several have one name, with a setting that tells them apart. */
export function comparedNames(runs: readonly BacktestRun[]): string[] {
  const names = runs.map(runName)
  const rows = settingRows(runs)
  return names.map((name, i) => {
    const same = names.flatMap((other, k) => (other === name ? [k] : []))
    if (same.length === 1) return name
    const row = rows.find(({ values }) => new Set(same.map((k) => values[k])).size === same.length)
    return row === undefined
      ? `${name} (${same.indexOf(i) + 1})`
      : `${name}, ${row.label.toLowerCase()} ${row.values[i]}`
  })
}

/** Settings of the runs, row by row; `differs` where they are not all the same. */
export function settingRows(runs: readonly BacktestRun[]): { label: string; values: string[]; differs: boolean }[] {
  const settings: [string, (run: BacktestRun) => string][] = [
    ['Model', (run) => runModelText(run.params) ?? '—'],
    ['Market', ({ params }) => (params.marketType === 'spot' ? 'Spot' : `Futures ${formatLeverage(params.leverage)}`)],
    ['Position size', (run) => runSizeWords(run)],
    ['Initial balance', (run) => formatMoney(run.initialBalance)],
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

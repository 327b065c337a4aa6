import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import { runName } from '@shapecast/contracts/run-name'
import { formatMoney } from '#kit/format/money.ts'
import { formatLeverage } from '#kit/format/number.ts'
import { formatBps, formatFeeRate, formatLimitPct } from '#kit/format/percent.ts'
import { formatDateRange } from '#kit/format/time.ts'
import { runModelText, runSizeWords } from '../run-summary.ts'

/** What the runs are called beside each other: where several have one name, with a setting that tells them apart. */
export function comparedNames(runs: readonly BacktestRunSummary[]): string[] {
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
export function settingRows(
  runs: readonly BacktestRunSummary[],
): { label: string; values: string[]; differs: boolean }[] {
  const settings: [string, (run: BacktestRunSummary) => string][] = [
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

import type { BacktestRun, RUN_PARTS } from '@shapecast/contracts/backtest'
import type { RunComparison } from '@shapecast/contracts/run-comparison'
import { runName } from '@shapecast/contracts/run-name'
import type { FileColumn } from '../ground/table-file.ts'

type ExportedRun = Pick<BacktestRun, 'trades' | 'equityCurve'>

/** The trades or the equity of a run as columns; with the pair of each trade where there are several. */
export function runColumns({ trades, equityCurve }: ExportedRun, part: (typeof RUN_PARTS)[number]): FileColumn[] {
  if (part === 'equity')
    return [
      { name: 'time', kind: 'time', values: equityCurve.map(({ t }) => t) },
      { name: 'equity', kind: 'number', values: equityCurve.map(({ equity }) => equity) },
    ]
  const number = (name: string, values: number[]): FileColumn => ({ name, kind: 'number', values })
  return [
    { name: 'side', kind: 'text', values: trades.map(({ side }) => side) },
    { name: 'entry_time', kind: 'time', values: trades.map(({ entryTime }) => entryTime) },
    { name: 'exit_time', kind: 'time', values: trades.map(({ exitTime }) => exitTime) },
    number(
      'entry_price',
      trades.map(({ entryPrice }) => entryPrice),
    ),
    number(
      'exit_price',
      trades.map(({ exitPrice }) => exitPrice),
    ),
    number(
      'quantity',
      trades.map(({ quantity }) => quantity),
    ),
    number(
      'fees',
      trades.map(({ fees }) => fees),
    ),
    number(
      'funding',
      trades.map(({ funding }) => funding),
    ),
    number(
      'net_pnl',
      trades.map(({ netPnL }) => netPnL),
    ),
    { name: 'exit_reason', kind: 'text', values: trades.map(({ exitReason }) => exitReason) },
    ...(trades.some(({ symbol }) => symbol !== undefined)
      ? [{ name: 'pair', kind: 'text', values: trades.map(({ symbol = '' }) => symbol) } as const]
      : []),
  ]
}

const HOLD = 'Buy and hold'

/** The curves of compared runs side by side, percent; each by the run's name, with the end of its id where that is not the only one. */
export function comparisonColumns({ runs, curves }: Pick<RunComparison, 'runs' | 'curves'>): FileColumn[] {
  const names = ['time', HOLD, ...runs.map(runName)]
  const named = new Map(
    runs.map((run) => {
      const name = runName(run)
      return [run._id, names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${run._id.slice(-8)}`]
    }),
  )
  const times = [...new Set(curves.flatMap(({ points }) => points.map(([t]) => t)))].sort((a, b) => a - b)
  return [
    { name: 'time', kind: 'time', values: times },
    ...curves.map(({ runId, points }): FileColumn => {
      const at = new Map(points)
      const values = times.map((t) => at.get(t) ?? Number.NaN)
      return { name: runId === null ? HOLD : named.get(runId)!, kind: 'number', values }
    }),
  ]
}

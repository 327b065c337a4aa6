import type { BacktestRun, RUN_PARTS } from '@shapecast/contracts/backtest'
import type { RunComparison } from '@shapecast/contracts/run-comparison'
import { runName } from '@shapecast/contracts/run-name'
import { type ColumnOf, columnsOf, type FileColumn } from '../ground/table-file.ts'

type ExportedRun = Pick<BacktestRun, 'trades' | 'equityCurve'>

/** The trades or the equity of a run as columns; with the pair of each trade where there are several. */
export function runColumns({ trades, equityCurve }: ExportedRun, part: (typeof RUN_PARTS)[number]): FileColumn[] {
  if (part === 'equity')
    return columnsOf(equityCurve, [
      ['time', 'time', ({ t }) => t],
      ['equity', 'number', ({ equity }) => equity],
    ])
  const areSeveral = trades.some(({ symbol }) => symbol !== undefined)
  return columnsOf(trades, [
    ['side', 'text', ({ side }) => side],
    ['entry_time', 'time', ({ entryTime }) => entryTime],
    ['exit_time', 'time', ({ exitTime }) => exitTime],
    ['entry_price', 'number', ({ entryPrice }) => entryPrice],
    ['exit_price', 'number', ({ exitPrice }) => exitPrice],
    ['quantity', 'number', ({ quantity }) => quantity],
    ['fees', 'number', ({ fees }) => fees],
    ['funding', 'number', ({ funding }) => funding],
    ['net_pnl', 'number', ({ netPnL }) => netPnL],
    ['exit_reason', 'text', ({ exitReason }) => exitReason],
    ...(areSeveral ? [['pair', 'text', ({ symbol = '' }) => symbol] as ColumnOf<(typeof trades)[number]>] : []),
  ])
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

import type { BatchCell } from '@shapecast/contracts/batch'
import type { RuleOrigin } from '@shapecast/contracts/bots'
import type { WalkFold, WalkForwardResult } from '@shapecast/contracts/walk-forward'
import type { FileColumn } from '../ground/table-file.ts'
import { numbers, originColumns } from '../search/search-file.ts'

/** The folds of a walk. */
export function foldColumns(
  { folds, parameters }: Pick<WalkForwardResult, 'folds' | 'parameters'>,
  origin: RuleOrigin | undefined,
): FileColumn[] {
  const number = (name: string, of: (fold: WalkFold, k: number) => number | null | undefined) =>
    numbers(name, folds.map(of))
  const time = (name: string, of: (fold: WalkFold) => number | undefined) => numbers(name, folds.map(of), 'time')
  return [
    ...originColumns(origin, folds.length),
    number('fold', (_, k) => k + 1),
    time('train_from', ({ train }) => train.from),
    time('train_to', ({ train }) => train.to),
    time('test_from', ({ test }) => test.from),
    time('test_to', ({ test }) => test.to),
    ...parameters.map(({ name }) => number(name, ({ values }) => values?.[name])),
    number('in_sample_sharpe', ({ inSample }) => inSample?.sharpe),
    number('in_sample_return_pct', ({ inSample }) => inSample?.netReturnPct),
    number('out_of_sample_sharpe', ({ outOfSample }) => outOfSample.sharpe),
    number('net_return_pct', ({ outOfSample }) => outOfSample.netReturnPct),
    number('hold_pct', ({ outOfSample }) => outOfSample.holdPct),
    number('trades', ({ outOfSample }) => outOfSample.trades),
    ...(folds.every(({ model }) => model === undefined)
      ? []
      : [
          time('learnt_to', ({ model }) => model?.learntTo),
          number('held_out_accuracy', ({ model }) => model?.heldOut.accuracy),
          number('accuracy', ({ model }) => model?.ahead.accuracy),
          number('accuracy_low', ({ model }) => model?.ahead.interval[0]),
          number('accuracy_high', ({ model }) => model?.ahead.interval[1]),
          number('outcomes', ({ model }) => model?.ahead.outcomes),
        ]),
  ]
}

/** The cells of a batch; of one without a run what is missing. */
export function cellColumns(cells: readonly BatchCell[], origin: RuleOrigin | undefined): FileColumn[] {
  const text = (name: string, of: (cell: BatchCell) => string): FileColumn => ({
    name,
    kind: 'text',
    values: cells.map(of),
  })
  const figure = (name: string, of: (run: NonNullable<BatchCell['run']>) => number | null | undefined, kind?: 'time') =>
    numbers(
      name,
      cells.map(({ run }) => run && of(run)),
      kind,
    )
  return [
    ...originColumns(origin, cells.length),
    text('symbol', ({ symbol }) => symbol),
    text('timeframe', ({ timeframe }) => timeframe),
    figure('from', ({ from }) => from, 'time'),
    figure('to', ({ to }) => to, 'time'),
    figure('candles', ({ candles }) => candles),
    figure('trades', ({ metrics }) => metrics.trades),
    figure('sharpe', ({ metrics, intervals }) => intervals.sharpe?.value ?? metrics.sharpeLike),
    figure('sharpe_low', ({ intervals }) => intervals.sharpe?.interval[0]),
    figure('sharpe_high', ({ intervals }) => intervals.sharpe?.interval[1]),
    figure('sharpe_over_holding', ({ sharpeOverHolding }) => sharpeOverHolding),
    figure('return_pct', ({ metrics }) => metrics.totalReturnPct),
    figure('hold_pct', ({ metrics }) => metrics.buyAndHoldReturnPct),
    figure('max_drawdown_pct', ({ metrics }) => metrics.maxDrawdownPct),
    figure('random_entries_p', ({ entries }) => entries?.p),
    text('missing', ({ missing }) => missing?.code ?? ''),
  ]
}

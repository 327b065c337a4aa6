import type { BatchCell } from '@shapecast/contracts/batch'
import type { RuleOrigin } from '@shapecast/contracts/bots'
import type { WalkFold, WalkForwardResult } from '@shapecast/contracts/walk-forward'
import { type ColumnOf, columnsOf, type FileColumn } from '../ground/table-file.ts'
import { originColumns } from '../search/search-file.ts'

const OF_MODELS: readonly ColumnOf<WalkFold>[] = [
  ['learnt_to', 'time', ({ model }) => model?.learntTo],
  ['held_out_accuracy', 'number', ({ model }) => model?.heldOut.accuracy],
  ['accuracy', 'number', ({ model }) => model?.ahead.accuracy],
  ['accuracy_low', 'number', ({ model }) => model?.ahead.interval[0]],
  ['accuracy_high', 'number', ({ model }) => model?.ahead.interval[1]],
  ['outcomes', 'number', ({ model }) => model?.ahead.outcomes],
]

/** The folds of a walk. */
export const foldColumns = (
  { folds, parameters }: Pick<WalkForwardResult, 'folds' | 'parameters'>,
  origin: RuleOrigin | undefined,
): FileColumn[] =>
  columnsOf(folds, [
    ...originColumns(origin),
    ['fold', 'number', (_, k) => k + 1],
    ['train_from', 'time', ({ train }) => train.from],
    ['train_to', 'time', ({ train }) => train.to],
    ['test_from', 'time', ({ test }) => test.from],
    ['test_to', 'time', ({ test }) => test.to],
    ...parameters.map(({ name }): ColumnOf<WalkFold> => [name, 'number', ({ values }) => values?.[name]]),
    ['in_sample_sharpe', 'number', ({ inSample }) => inSample?.sharpe],
    ['in_sample_return_pct', 'number', ({ inSample }) => inSample?.netReturnPct],
    ['out_of_sample_sharpe', 'number', ({ outOfSample }) => outOfSample.sharpe],
    ['net_return_pct', 'number', ({ outOfSample }) => outOfSample.netReturnPct],
    ['hold_pct', 'number', ({ outOfSample }) => outOfSample.holdPct],
    ['trades', 'number', ({ outOfSample }) => outOfSample.trades],
    ...(folds.every(({ model }) => model === undefined) ? [] : OF_MODELS),
  ])

/** The cells of a batch; of one without a run what is missing. */
export const cellColumns = (cells: readonly BatchCell[], origin: RuleOrigin | undefined): FileColumn[] =>
  columnsOf(cells, [
    ...originColumns(origin),
    ['symbol', 'text', ({ symbol }) => symbol],
    ['timeframe', 'text', ({ timeframe }) => timeframe],
    ['from', 'time', ({ run }) => run?.from],
    ['to', 'time', ({ run }) => run?.to],
    ['candles', 'number', ({ run }) => run?.candles],
    ['trades', 'number', ({ run }) => run?.metrics.trades],
    ['sharpe', 'number', ({ run }) => run?.intervals.sharpe?.value ?? run?.metrics.sharpeLike],
    ['sharpe_low', 'number', ({ run }) => run?.intervals.sharpe?.interval[0]],
    ['sharpe_high', 'number', ({ run }) => run?.intervals.sharpe?.interval[1]],
    ['sharpe_over_holding', 'number', ({ run }) => run?.sharpeOverHolding],
    ['return_pct', 'number', ({ run }) => run?.metrics.totalReturnPct],
    ['hold_pct', 'number', ({ run }) => run?.metrics.buyAndHoldReturnPct],
    ['max_drawdown_pct', 'number', ({ run }) => run?.metrics.maxDrawdownPct],
    ['random_entries_p', 'number', ({ run }) => run?.entries?.p],
    ['missing', 'text', ({ missing }) => missing?.code ?? ''],
  ])

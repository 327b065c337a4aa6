import type { WalkForwardResult } from './walk-forward.ts'

const iso = (ms: number) => new Date(ms).toISOString()

const MODEL_HEADS = ['learnt_to', 'held_out_accuracy', 'accuracy', 'accuracy_low', 'accuracy_high', 'outcomes']

/** The folds as a table for a spreadsheet, UTC times. */
export function foldsCsv({ folds, parameters }: Pick<WalkForwardResult, 'folds' | 'parameters'>): string {
  const names = parameters.map(({ name }) => name)
  const heads = [
    'fold',
    'train_from',
    'train_to',
    'test_from',
    'test_to',
    ...names,
    'in_sample_sharpe',
    'in_sample_return_pct',
    'out_of_sample_sharpe',
    'net_return_pct',
    'hold_pct',
    'trades',
    ...(folds.some(({ model }) => model !== undefined) ? MODEL_HEADS : []),
  ]
  const rows = folds.map(({ train, test, values, inSample, outOfSample, model }, k) =>
    [
      k + 1,
      iso(train.from),
      iso(train.to),
      iso(test.from),
      iso(test.to),
      ...names.map((name) => values?.[name] ?? ''),
      inSample?.sharpe ?? '',
      inSample?.netReturnPct ?? '',
      outOfSample.sharpe ?? '',
      outOfSample.netReturnPct,
      outOfSample.holdPct,
      outOfSample.trades,
      ...(model === undefined
        ? []
        : [
            iso(model.learntTo),
            model.heldOut.accuracy,
            model.ahead.accuracy,
            ...model.ahead.interval,
            model.ahead.outcomes,
          ]),
    ].join(','),
  )
  return `${[heads.join(','), ...rows].join('\n')}\n`
}

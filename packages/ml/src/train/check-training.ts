import { AppError } from '@shapecast/contracts/errors'
import { checkRows } from '../runtime/windows.ts'
import type { NetworkTraining } from './network-training.ts'

/**
 * Throws AppError `too_few_candles` if there is no full batch to train on or nothing to validate with, and a
 * RangeError where arrays, rows or settings do not fit together.
 */
export function checkTraining(training: NetworkTraining): void {
  const { shape, features, targets, up, trainRows, validationRows, batch, dropout } = training
  const rows = features.length / shape.features
  const expect = (holds: boolean, text: string) => {
    if (!holds) throw new RangeError(text)
  }
  expect(Number.isInteger(rows), `${features.length} feature values do not divide into rows of ${shape.features}.`)
  expect(targets.length === rows * shape.horizons, `${targets.length} targets for ${rows} rows of ${shape.horizons}.`)
  expect(up.length === rows, `${up.length} up labels for ${rows} rows.`)
  expect(Number.isInteger(batch) && batch > 0, `A batch holds at least one window, not ${batch}.`)
  expect(dropout >= 0 && dropout < 1, `Dropout lies in [0, 1), not at ${dropout}.`)
  if (trainRows.length < batch || validationRows.length === 0) {
    throw new AppError(
      'too_few_candles',
      `Training has ${trainRows.length} windows to learn from and ${validationRows.length} to validate with; it needs ` +
        `at least ${batch} and 1. Choose a longer range.`,
    )
  }
  const table = { features, featureCount: shape.features }
  checkRows(table, shape.lookback, trainRows)
  checkRows(table, shape.lookback, validationRows)
}

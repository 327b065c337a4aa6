import { HOLDOUT_CANDLES, HORIZONS } from '@shapecast/contracts/training-candles'
import { type FeatureTable, hasWindow } from '../features/feature-table.ts'
import type { Outcomes } from './outcomes.ts'

export interface Split {
  train: Int32Array
  validation: Int32Array
  /** Rows whose next candle is in the hold-out. Their outcomes at longer horizons may be missing at the end. */
  holdout: Int32Array
  /** Rows before the hold-out with a window and every outcome: training, validation and what is purged between. */
  usable: number
}

/**
 * Splits the rows in time. No outcome of a training or validation row reaches into the hold-out (the newest 400 candles),
 * and none of a training row reaches into validation: rows are purged by the horizon at both borders (López de Prado,
 * Advances in Financial Machine Learning, 7.4).
 */
export function splitRows(
  table: FeatureTable,
  outcomes: Outcomes,
  settings: { lookback: number; validationRatio: number },
): Split {
  const n = table.length
  const firstHoldout = n - HOLDOUT_CANDLES
  const usable: number[] = []
  for (let i = 0; i + HORIZONS < firstHoldout; i++)
    if (hasWindow(table, i, settings.lookback) && !Number.isNaN(outcomes.returns[HORIZONS - 1]![i]!)) usable.push(i)
  const validation = usable.slice(usable.length - Math.round(usable.length * settings.validationRatio))
  const border = (validation[0] ?? firstHoldout) - HORIZONS
  const holdout: number[] = []
  for (let i = firstHoldout - 1; i + 1 < n; i++) if (hasWindow(table, i, settings.lookback)) holdout.push(i)
  return {
    train: Int32Array.from(usable.filter((i) => i < border)),
    validation: Int32Array.from(validation),
    holdout: Int32Array.from(holdout),
    usable: usable.length,
  }
}

import type { exportDataset } from '@shapecast/contracts/datasets'
import type { QueryOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { HOLDOUT_CANDLES } from '@shapecast/contracts/training-candles'
import { type Candles, sliceCandles } from '@shapecast/engine/candles'
import { BLOCK_CANDLES, BLOCK_HISTORY } from '@shapecast/ml/features/segments'
import type { VenueCandles } from '../series-market.ts'

export type DatasetOrder = QueryOf<typeof exportDataset>

/** The rows of a dataset, and the candles before them that their features rest on. */
export interface DatasetCandles {
  withHistory: Candles
  /** Index of the dataset's first row in `withHistory`. */
  first: number
  rows: Candles
}

/** Candles before a row that its features depend on, to the bit. */
const FEATURE_HISTORY = BLOCK_CANDLES + BLOCK_HISTORY

/**
 * The newest `limit` candles up to `last`, or before the hold-out, which is the newest 400 (up to `to`); fewer where
 * there are no more. Throws `no_candles`, and `too_few_candles` where the hold-out leaves none.
 */
export async function datasetCandles(source: VenueCandles, order: DatasetOrder): Promise<DatasetCandles> {
  const { symbol, timeframe, limit, to, last } = order
  const heldOut = last === undefined ? HOLDOUT_CANDLES : 0
  const range = { toMs: last ?? to, limit: limit + heldOut + FEATURE_HISTORY }
  const candles = await source.load(symbol, timeframe, range)
  if (candles.length === 0)
    throw new AppError(
      'no_candles',
      range.toMs === undefined
        ? `No candles of ${symbol} ${timeframe} are stored. Import some, or choose another symbol or timeframe.`
        : `No candles of ${symbol} ${timeframe} are stored up to this end. Choose a later one, or import some.`,
    )
  const end = candles.length - heldOut
  if (end < 1)
    throw new AppError(
      'too_few_candles',
      `${symbol} ${timeframe} has ${candles.length} candles, and the newest ${HOLDOUT_CANDLES} are kept apart to judge models by. Import more, or choose a later end.`,
    )
  const withHistory = sliceCandles(candles, 0, end)
  const first = Math.max(0, end - limit)
  return { withHistory, first, rows: sliceCandles(withHistory, first) }
}

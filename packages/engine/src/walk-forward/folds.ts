import { AppError } from '@shapecast/contracts/errors'

/** How a walk moves through its candles. */
export interface WalkPlan {
  /** Candles on which settings are chosen, and those after them on which they trade. */
  readonly train: number
  readonly test: number
  /** Whether each fold chooses on all candles so far: `train` is the least then. */
  readonly anchored: boolean
}

/** Places among the candles of the walk; the ends are left out. A fold trades from where its training ends. */
export interface Fold {
  readonly trainFrom: number
  readonly testFrom: number
  readonly testTo: number
}

export const MOST_FOLDS = 60

/**
 * The folds of so many candles: test stretches of the same length that lie end to end and reach to the last candle; the oldest
 * candles that fill no fold are left out, of an anchored walk they are trained on. Throws `too_few_candles` and `bad_input`.
 */
export function foldsOf(length: number, { train, test, anchored }: WalkPlan): Fold[] {
  const count = Math.floor((length - train) / test)
  if (count < 2)
    throw new AppError(
      'too_few_candles',
      `${length} candles hold ${Math.max(0, count)} folds of ${train} and ${test}; a walk needs at least 2. Take more candles or shorter folds.`,
      { field: 'train' },
    )
  if (count > MOST_FOLDS)
    throw new AppError('bad_input', `This walk has ${count} folds; it must have at most ${MOST_FOLDS}.`, {
      field: 'test',
    })
  const first = length - count * test
  return Array.from({ length: count }, (_, k) => {
    const testFrom = first + k * test
    return { trainFrom: anchored ? 0 : testFrom - train, testFrom, testTo: testFrom + test }
  })
}

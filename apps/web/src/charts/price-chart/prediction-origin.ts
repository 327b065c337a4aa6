import type { ChartPrediction } from '@shapecast/contracts/prediction-columns'
import type { PredictionOrigin } from './price-input.ts'

/** How a prediction came to be, as the chart writes it. */
export const ORIGIN_WORDS: Readonly<Record<PredictionOrigin, string>> = {
  live: 'live',
  backfilled: 'backfilled',
  trained_on: 'trained on',
}

/** What was sealed live counts as live, whatever the model has learnt since. */
export function originOf({ source, trainedOn }: Pick<ChartPrediction, 'source' | 'trainedOn'>): PredictionOrigin {
  if (source === 'live') return 'live'
  return trainedOn ? 'trained_on' : 'backfilled'
}

import type { Prediction } from '@shapecast/contracts/predictions'
import type { Predictions } from '@shapecast/ml/forecast/predictions'
import { doublePrecision } from 'drizzle-orm/pg-core'

/**
 * The medians of the next close that the tables keep and replies have: of these two networks, whichever a model is made
 * of. This is where networks by name become the two, and where another pair would begin.
 */
export interface KeptMedians {
  lstm: number
  transformer: number
}

export const medianColumns = () => ({
  lstm: doublePrecision('lstm').notNull(),
  transformer: doublePrecision('transformer').notNull(),
})

/** The column of one of the two. Where a model has no such network, as an upload has none, its only median stands in. */
export const medianColumn = ({ medians }: Pick<Predictions, 'medians'>, name: keyof KeptMedians): Float64Array =>
  medians[name] ?? Object.values(medians)[0]!

export const keptMedians = (made: Predictions, row: number): KeptMedians => ({
  lstm: medianColumn(made, 'lstm')[row]!,
  transformer: medianColumn(made, 'transformer')[row]!,
})

/** What was shown, to be kept. */
export const mediansShown = (shown: Pick<Prediction, 'lstm_prediction' | 'transformer_prediction'>): KeptMedians => ({
  lstm: shown.lstm_prediction,
  transformer: shown.transformer_prediction,
})

import type { Predictions } from '../forecast/predictions.ts'
import type { NamedColumns } from './audited-pipeline.ts'

/** Every number of a forecast by name, as the audit compares it. */
export const forecastColumns = (made: Predictions): NamedColumns => ({
  'P(up)': made.pUp,
  signal: Float64Array.from(made.signal),
  'LSTM median': made.lstm,
  'Transformer median': made.transformer,
  'expected move': made.expectedMoveBps,
  'stop-loss': made.stopLoss,
  fan: made.quantilePrices,
})

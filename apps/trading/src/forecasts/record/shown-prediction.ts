import type { Prediction } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { signalVerdict } from '@shapecast/engine/verdicts/signal-verdict'
import type { Predictions } from '@shapecast/ml/forecast/predictions'
import { doublePrecision } from 'drizzle-orm/pg-core'

/**
 * The medians of the next close that the tables keep and replies have: of these two networks, whichever a model is made
 * of. This is where networks by name become the two, and where another pair would begin.
 */
interface KeptMedians {
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

/** What a model said at the close of a candle, as tables keep it. */
interface Said extends KeptMedians, Pick<Prediction, 'signal' | 'confidence' | 'stopLoss' | 'edgeBps' | 'reasoning'> {
  /** Close, quote. */
  readonly price: number
}

/** The same as replies have it. `costBps` of a round trip is null where it was not kept. */
export const shownPrediction = (
  { signal, confidence, price, lstm, transformer, stopLoss, edgeBps, reasoning }: Said,
  at: { ts: number; timeframe: Timeframe },
  by: { version: string; hash: string; costBps: number | null; horizon: number },
): Prediction => ({
  timestamp: at.ts,
  aligned_ts: at.ts + TIMEFRAME_MS[at.timeframe],
  signal,
  confidence,
  current_price: price,
  lstm_prediction: lstm,
  transformer_prediction: transformer,
  stopLoss,
  reasoning,
  edgeBps,
  verdict: signalVerdict({ signal, stopLoss, edgeBps, current_price: price }, by.costBps, by.horizon),
  version: by.version,
  hash: by.hash,
})

import type { Evaluation } from '@shapecast/contracts/evaluation'
import type { BesideSeries } from '@shapecast/contracts/foreign-card'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { ModelCard } from '../artifact/card.ts'
import type { Beside } from './beside-series.ts'
import type { Predictor } from './predict.ts'
import type { Predictions } from './predictions.ts'

/** Open times in ms between which candles may have decided anything about a model: weights, stopping or calibration. */
export interface SeenCandles {
  from: number
  to: number
  /**
   * `trained`: known, it was trained here. `declared`: its author says so. `unknown`: nobody here knows, so that every
   * candle until its upload counts.
   */
  basis: 'trained' | 'declared' | 'unknown'
}

/** What users need to know of a model, trained here or uploaded. */
export interface ModelTraits {
  timeframe: Timeframe
  /** Candles ahead that it forecasts. */
  horizons: number
  /** Candles in a window. */
  lookback: number
  /** Series that it looks at beside its own; absent where there are none. */
  beside?: readonly BesideSeries[]
  signalHorizon: number
  /** Distance of P(up) from ½ that makes a signal, as it was asked for; null where training found it. */
  askedThreshold: number | null
  /** Fees and slippage of entry and exit that its edge is told after. */
  roundTripCostBps: number
  /** Share of rises before its hold-out. */
  climatology: number
  seen: SeenCandles
  /** Open time in ms of the first candle whose forecast is judged by an outcome that it cannot have learnt from. */
  unseenFrom: number
  evaluation: Evaluation
}

/** A model of either kind, ready to predict. */
export interface ModelPredictor extends Pick<Predictor, 'historyCandles' | 'close'> {
  /** As a Predictor's; `beside` are the candles of the series that its traits name. */
  predict(candles: Candles, range?: { from: number; to: number }, beside?: Beside): Promise<Predictions>
  readonly traits: ModelTraits
}

/** From the first training row to the last outcome that the validation looked at. The hold-out is not part of it. */
const seenInTraining = ({ ranges, horizons, source }: ModelCard): SeenCandles => ({
  from: ranges.train.from,
  to: ranges.validation.to + horizons * TIMEFRAME_MS[source.timeframe],
  basis: 'trained',
})

/** What is asked of every model, of one that was trained here. */
export const traitsOfTrained = (card: ModelCard): ModelTraits => ({
  timeframe: card.source.timeframe,
  horizons: card.horizons,
  lookback: card.settings.lookback,
  signalHorizon: card.settings.signalHorizon,
  askedThreshold: card.settings.signalThreshold,
  roundTripCostBps: card.signal.roundTripCostBps,
  climatology: card.calibration.climatology,
  seen: seenInTraining(card),
  unseenFrom: card.ranges.holdout.from,
  evaluation: card.evaluation,
})

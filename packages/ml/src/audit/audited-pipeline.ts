import type { Candles } from '@shapecast/engine/candles'

/** Numbers by name. */
export type NamedColumns = Readonly<Record<string, Float64Array>>

/** What a pipeline that was trained anew says of candles that it was not trained on. */
export interface RetrainedForecasts {
  /** Candles (indices). */
  rows: Int32Array
  /** Probability of "up" over the signal horizon, by row. */
  pUp: Float64Array
  /** Expected size of the move over the signal horizon, by row; any unit. */
  expectedMove: Float64Array
}

/** A model's way from candles to forecasts, as the audit sees it: a box that is given candles. */
export interface AuditedPipeline {
  timeframeMs: number
  /** Candles ahead at which direction is called. */
  signalHorizon: number
  /** Candles before a forecast that it may look at. */
  historyCandles: number
  /** How far equal forecasts may lie apart, relative to their size: 0 where they are equal to the bit. */
  tolerance: number
  /** Everything that the model is given at each candle's close: a number a candle in each column. */
  inputs(candles: Candles): NamedColumns
  /** What it says at the closes of candles `from` … `to`−1: the same number of values a candle in each column. */
  forecasts(candles: Candles, from: number, to: number): Promise<NamedColumns>
  /**
   * Trains it anew, small, and forecasts the newest candles. Row i is taught the outcome of candle `outcomeOf[i]` in place
   * of its own (−1: none). Absent where a model cannot be trained here.
   */
  retrain?(candles: Candles, outcomeOf: Int32Array): Promise<RetrainedForecasts>
}

/** Forecasts for candles `from` … `to`−1, each made at that candle's close; every column starts with candle `from`. */
export interface Predictions {
  readonly from: number
  readonly to: number
  /** Calibrated probability that the close is higher `signalHorizon` candles ahead; NaN where no forecast is possible. */
  readonly pUp: Float64Array
  /** DECISION codes: BUY, SELL, or HOLD (also where no forecast is possible). */
  readonly signal: Int8Array
  /** Calibrated probability of the called direction, ½ … 1. */
  readonly confidence: Float64Array
  /** Median of the next close in quote, by either network alone. */
  readonly lstm: Float64Array
  readonly transformer: Float64Array
  /** (2p − 1) × expected move − cost of a round trip, for the called direction. */
  readonly edgeBps: Float64Array
  /** Expected size of the move at the signal horizon, without direction. */
  readonly expectedMoveBps: Float64Array
  /** Price at which the called direction is given up. */
  readonly stopLoss: Float64Array
  /** The fan in quote, conformally corrected, [rows × horizons × quantiles], rising along the quantiles. */
  readonly quantilePrices: Float64Array
  readonly horizons: number
  readonly quantiles: readonly number[]
  /** The numbers of candle `i` (index into the candles) in a sentence. */
  reasonFor(i: number): string
}

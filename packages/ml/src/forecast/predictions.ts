import { reasonSentence } from '../recipe/reason.ts'

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
  /** Median of the next close in quote by each network alone: of a model of ours by its family, of an upload `uploaded`. */
  readonly medians: Readonly<Record<string, Float64Array>>
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
  /** Candles ahead that `pUp` and the signal speak of. */
  readonly signalHorizon: number
  /** Distance of P(up) from ½ that makes a signal. */
  readonly threshold: number
  readonly roundTripCostBps: number
}

/** The numbers of candle `i` (index into the candles) in a sentence. Throws a RangeError outside of the range. */
export function reasonFor(made: Predictions, i: number): string {
  const { from, to, horizons, quantiles, quantilePrices } = made
  if (i < from || i >= to) throw new RangeError(`Candle ${i} is not in the range ${from} … ${to - 1}.`)
  const k = i - from
  const lastFan = (k * horizons + horizons - 1) * quantiles.length
  return reasonSentence({
    signal: made.signal[k]!,
    pUp: made.pUp[k]!,
    threshold: made.threshold,
    signalHorizon: made.signalHorizon,
    expectedMoveBps: made.expectedMoveBps[k]!,
    edgeBps: made.edgeBps[k]!,
    costBps: made.roundTripCostBps,
    low: quantilePrices[lastFan]!,
    high: quantilePrices[lastFan + quantiles.length - 1]!,
    horizons,
  })
}

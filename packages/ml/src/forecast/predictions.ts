import { DECISION } from '@shapecast/engine/decisions'

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

/** What a reason says of one candle; `low` and `high` are the outer prices of the fan at its last horizon. */
type ReasonFacts = Pick<Predictions, 'threshold' | 'signalHorizon' | 'horizons'> &
  Record<'signal' | 'pUp' | 'expectedMoveBps' | 'edgeBps' | 'costBps' | 'low' | 'high', number>

const percent = (ratio: number, digits: number): string => `${(100 * ratio).toFixed(digits)}%`
const price = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })
const candles = (n: number): string => (n === 1 ? 'of the next candle' : `${n} candles ahead`)

/**
 * A signal's numbers in a sentence or two: what is called, how sure, how far the price may move, what is left after costs.
 * @internal for tests
 */
export function reasonSentence(facts: ReasonFacts): string {
  if (Number.isNaN(facts.pUp))
    return 'HOLD: too few candles before this one, or a long hole among them, for a forecast.'
  const name = facts.signal === DECISION.BUY ? 'BUY' : facts.signal === DECISION.SELL ? 'SELL' : 'HOLD'
  const rises = facts.pUp >= 0.5
  const likely = percent(rises ? facts.pUp : 1 - facts.pUp, 1)
  const result = facts.edgeBps < 0 ? 'lose' : 'make'
  return (
    `${name}: a ${rises ? 'higher' : 'lower'} close ${candles(facts.signalHorizon)} is ${likely} likely; ` +
    `a signal needs more than ${percent(0.5 + facts.threshold, 2)}. The move is about ` +
    `${percent(facts.expectedMoveBps / 10_000, 2)}: after costs of ${percent(facts.costBps / 10_000, 2)} a trade is ` +
    `expected to ${result} ${percent(Math.abs(facts.edgeBps) / 10_000, 2)}. ` +
    `Nine of ten closes ${candles(facts.horizons)} should land between ${price.format(facts.low)} and ` +
    `${price.format(facts.high)}.`
  )
}

/** The numbers of candle `i` (index into the candles) in a sentence. Throws a RangeError outside of the range. */
export function reasonFor(made: Predictions, i: number): string {
  const { from, to, horizons, quantiles, quantilePrices } = made
  if (i < from || i >= to) throw new RangeError(`Candle ${i} is not in the range ${from} … ${to - 1}.`)
  const k = i - from
  const lastFan = (k * horizons + horizons - 1) * quantiles.length
  return reasonSentence({
    ...made,
    signal: made.signal[k]!,
    pUp: made.pUp[k]!,
    expectedMoveBps: made.expectedMoveBps[k]!,
    edgeBps: made.edgeBps[k]!,
    costBps: made.roundTripCostBps,
    low: quantilePrices[lastFan]!,
    high: quantilePrices[lastFan + quantiles.length - 1]!,
  })
}

import { riseBegins } from './change-point.ts'
import { createWager, type Excess } from './wager.ts'

/** At this e-value "nothing is wrong" is given up: under it, it is ever reached with a probability of 1 in 20. */
export const EVIDENCE = 20

/** An outcome of a forecast made `candle` candles after the first one that there ever was. */
export interface TestedOutcome extends Excess {
  candle: number
}

export interface SequentialTest {
  /** The e-value after each outcome. */
  e: Float64Array
  /** The largest so far; 1 where there is no outcome. */
  largestE: number
  /** The outcome at which 20 was reached first; null where it never was. */
  crossedAt: number | null
  /** The outcome from which on the excess is larger, as seen when 20 was reached (0: it was so all along, or one cannot tell); null where it never was. */
  changedAt: number | null
}

/**
 * What the mean of `lanes` e-values that may depend on each other in any way is divided by, so that its largest value over
 * time still is below 20 with a probability of 95 %: 1, 2, and e ln n from 3 on (Vovk and Wang, Combining p-values via
 * averaging, Biometrika 107, 2020, for the harmonic mean; the inverse of a supermartingale's largest value is a p-value).
 */
export const lanePenalty = (lanes: number): number => (lanes <= 2 ? lanes : Math.E * Math.log(lanes))

/**
 * Whether the mean excess is above 0, tested after every outcome. `outcomes` are in order of their candles. Forecasts
 * `horizon` candles ahead overlap, so each goes to one of `horizon` lanes in which no two overlap; the lanes' capitals
 * are averaged (after Henzi and Ziegel, Valid sequential inference on probability forecast performance, Biometrika 109,
 * 2022).
 * @param from the candle from which on all outcomes are given; the bound holds however many older ones are not
 */
export function testInSequence(outcomes: readonly TestedOutcome[], horizon: number, from = 0): SequentialTest {
  const lanes = Array.from({ length: horizon }, () => createWager(Math.ceil(from / horizon)))
  const capitals = new Float64Array(horizon).fill(1)
  const divisor = horizon * lanePenalty(horizon)
  const e = new Float64Array(outcomes.length)
  let [largestE, crossedAt]: [number, number | null] = [outcomes.length === 0 ? 1 : 0, null]
  outcomes.forEach((outcome, i) => {
    const lane = outcome.candle % horizon
    capitals[lane] = lanes[lane]!.take(outcome, Math.floor(outcome.candle / horizon))
    e[i] = capitals.reduce((sum, capital) => sum + capital, 0) / divisor
    largestE = Math.max(largestE, e[i]!)
    if (crossedAt === null && e[i]! >= EVIDENCE) crossedAt = i
  })
  const upTo = crossedAt === null ? null : outcomes.slice(0, crossedAt + 1)
  return { e, largestE, crossedAt, changedAt: upTo === null ? null : riseBegins(upTo.map(({ value }) => value)) }
}

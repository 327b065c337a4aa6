import { DECISION } from '@shapecast/engine/decisions'

export interface ReasonFacts {
  signal: number
  pUp: number
  threshold: number
  signalHorizon: number
  expectedMoveBps: number
  edgeBps: number
  costBps: number
  /** Outer prices of the fan at its last horizon. */
  low: number
  high: number
  horizons: number
}

const percent = (ratio: number, digits: number): string => `${(100 * ratio).toFixed(digits)}%`
const price = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })
const candles = (n: number): string => (n === 1 ? 'of the next candle' : `${n} candles ahead`)

/** A signal's numbers in a sentence or two: what is called, how sure, how far the price may move, what is left after costs. */
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

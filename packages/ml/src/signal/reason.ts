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

const percent = (ratio: number, digits = 1): string => `${(100 * ratio).toFixed(digits)}%`
const { format: price } = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })
const candles = (n: number): string => (n === 1 ? 'the next candle' : `${n} candles ahead`)

/** A signal's numbers in a sentence or two: what is called, how sure, how far the price may move, what is left after costs. */
export function reasonSentence(facts: ReasonFacts): string {
  if (Number.isNaN(facts.pUp))
    return 'HOLD: too few candles before this one, or a long hole among them, for a forecast.'
  const name = facts.signal === DECISION.BUY ? 'BUY' : facts.signal === DECISION.SELL ? 'SELL' : 'HOLD'
  const limit = percent(0.5 + facts.threshold, 2)
  const rises = facts.pUp >= 0.5
  const confidence = rises ? facts.pUp : 1 - facts.pUp
  const called = `P(${rises ? 'up' : 'down'}) ${percent(confidence)} for ${candles(facts.signalHorizon)}`
  const against = name === 'HOLD' ? `within the ${limit} that a signal needs` : `above the ${limit} that a signal needs`
  const edge = `${facts.edgeBps >= 0 ? '+' : '−'}${Math.abs(facts.edgeBps).toFixed(1)} bps`
  const verdict = facts.edgeBps < 0 ? ', below cost' : ''
  return (
    `${name}: ${called}, ${against}; expected move ±${facts.expectedMoveBps.toFixed(0)} bps, ` +
    `edge ${edge} after ${facts.costBps.toFixed(0)} bps of costs${verdict}. ` +
    `90% range in ${facts.horizons} candles: ${price(facts.low)} to ${price(facts.high)}.`
  )
}

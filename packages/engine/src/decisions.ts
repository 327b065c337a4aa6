import type { Signal } from '@shapecast/contracts/ml'

/**
 * What a strategy asks for at the close of a candle, one code per candle in an Int8Array.
 * HOLD keeps the position; CLOSE flattens; BUY wants to be long; SELL wants to be short (on spot: flat).
 * BUY and SELL equal the side (+1, −1) that they ask for; the step function relies on it.
 */
export const DECISION = { HOLD: 0, BUY: 1, SELL: -1, CLOSE: 2 } as const
export type Decision = (typeof DECISION)[keyof typeof DECISION]

/** The decision that a model's signal asks for. */
export const decisionOfSignal = (signal: Signal): Decision => DECISION[signal]

/** The signal of a code; CLOSE, which no model gives, reads as HOLD. */
export function signalOfDecision(code: number): Signal {
  if (code === DECISION.BUY) return 'BUY'
  return code === DECISION.SELL ? 'SELL' : 'HOLD'
}

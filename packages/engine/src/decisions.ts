import type { Signal } from '@shapecast/contracts/ml'

/**
 * What a strategy asks for at the close of a candle, one code per candle in an Int8Array.
 * HOLD keeps the position; CLOSE flattens, CLOSE_LONG and CLOSE_SHORT only what is on that side; BUY wants to be long; SELL wants to be short (on spot: flat).
 * BUY and SELL equal the side (+1, −1) that they ask for; the step function relies on it.
 */
export const DECISION = { HOLD: 0, BUY: 1, SELL: -1, CLOSE: 2, CLOSE_LONG: 3, CLOSE_SHORT: 4 } as const
export type Decision = (typeof DECISION)[keyof typeof DECISION]

/** Whether a code asks for an order of who holds a position on that side (1 long, −1 short, 0 flat). */
export function asksForOrder(code: number, side: number): boolean {
  if (code <= DECISION.BUY) return code !== DECISION.HOLD && code !== side
  return code === DECISION.CLOSE ? side !== 0 : side === (code === DECISION.CLOSE_LONG ? 1 : -1)
}

/** The decision that a model's signal asks for. */
export const decisionOfSignal = (signal: Signal): Decision => DECISION[signal]

/** The signal of a code; those that only close, which no model gives, read as HOLD. */
export function signalOfDecision(code: number): Signal {
  if (code === DECISION.BUY) return 'BUY'
  return code === DECISION.SELL ? 'SELL' : 'HOLD'
}

import type { Ratio } from '@shapecast/contracts/units'

/** What a venue takes for an execution. */
export interface FeeModel {
  /** Fee in quote for one fill of that notional (quote). */
  fee(notional: number): number
  /** The largest share of a notional that a fee can take: sizing keeps room for it. */
  readonly largestRatio: Ratio
}

/** A fixed share of the notional on each fill. */
export const proportionalFee = (feeRate: Ratio): FeeModel => ({
  fee: (notional) => notional * feeRate,
  largestRatio: feeRate,
})

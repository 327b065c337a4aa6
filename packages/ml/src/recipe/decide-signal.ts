import { DECISION } from '@shapecast/engine/decisions'
import { empiricalQuantiles } from './empirical-quantiles.ts'
import { MEAN_ABS_NORMAL } from './har-model.ts'

/** Share of validation candles that the default threshold makes a signal of. */
export const CONFIDENT_SHARE = 1 / 3
const BPS = 10_000

/** The distance from ½ that the most confident third of calibrated probabilities exceeds. */
export const confidentThreshold = (pUp: Float64Array): number =>
  empiricalQuantiles(
    pUp.map((p) => Math.abs(p - 0.5)),
    [1 - CONFIDENT_SHARE],
  )[0]!

/** BUY or SELL where P(up) is further from ½ than the threshold, else HOLD (also where P(up) is NaN). */
export const signalFor = (pUp: number, threshold: number): number =>
  pUp - 0.5 > threshold ? DECISION.BUY : 0.5 - pUp > threshold ? DECISION.SELL : DECISION.HOLD

/** Expected |log return| in bps at a horizon whose forecast scale is `sigma`, as of a normal with that mean size. */
export const expectedMoveBps = (sigma: number): number => BPS * MEAN_ABS_NORMAL * sigma

/** What following the called direction earns on average after a round trip: (2p − 1) E|r| − cost, bps. */
export const edgeBps = (confidence: number, moveBps: number, costBps: number): number =>
  (2 * confidence - 1) * moveBps - costBps

/**
 * Where the called direction is given up: at the fan's 5 % quantile of the last horizon (95 % for a fall), or two average
 * true ranges away where that is nearer. Price in quote.
 */
export function stopLossPrice(rises: boolean, close: number, atr: number, q05: number, q95: number): number {
  const far = rises ? close - 2 * atr : close + 2 * atr
  const quantile = rises ? q05 : q95
  // A fan that lies wholly on one side gives no stop on the losing side.
  const usable = rises ? quantile < close : quantile > close
  if (!usable) return far
  return rises ? Math.max(quantile, far) : Math.min(quantile, far)
}

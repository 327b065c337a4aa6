import type { Evaluation } from '@shapecast/contracts/evaluation'
import { Z95 } from '../evaluate/intervals.ts'

/** What the hold-out lets one expect of live outcomes. */
export interface HoldoutBar {
  /** The upper end of the 95 % interval of the Brier score of outcomes that moved: worse is worse than the hold-out shows. */
  brier: number
  /** Share of outcomes outside the 90 % range one candle ahead: the larger of what it promises and the hold-out's upper end. */
  misses: number
}

/** Share of outcomes that a 90 % range leaves outside. */
export const PROMISED_MISSES = 0.1

/**
 * The bars that live outcomes are tested against. The card keeps no single losses, so their variance is worked out from
 * the bins of the reliability diagram: in each, forecasts near `predicted`, of which a share `observed` rose. Flat
 * outcomes lose next to nothing and are taken out of the mean.
 */
export function holdoutBar({ accuracy, probability, fan }: Evaluation): HoldoutBar {
  const moved = accuracy.outcomes
  const brier = moved === 0 ? 0.25 : (probability.brier * (moved + accuracy.flatOutcomes)) / moved
  let [total, mean, square] = [0, 0, 0]
  for (const { predicted, observed, outcomes } of probability.reliability) {
    const [rose, fell] = [(1 - predicted) ** 2, predicted ** 2]
    total += outcomes
    mean += outcomes * (observed * rose + (1 - observed) * fell)
    square += outcomes * (observed * rose ** 2 + (1 - observed) * fell ** 2)
  }
  const variance = total === 0 ? 0 : Math.max(0, square / total - (mean / total) ** 2)
  const nearest = fan.find(({ horizon }) => horizon === 1)
  return {
    brier: brier + Z95 * Math.sqrt(variance / Math.max(1, accuracy.effectiveOutcomes)),
    misses: Math.max(PROMISED_MISSES, 1 - (nearest?.coverage90Interval[0] ?? 0.9)),
  }
}

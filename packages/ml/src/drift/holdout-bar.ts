import type { Evaluation } from '@shapecast/contracts/evaluation'
import { Z95 } from '../evaluate/intervals.ts'

/**
 * The most that a live Brier score may be: the upper end of the hold-out's 95 % interval, of outcomes that moved. The card
 * keeps no single losses, so their variance is worked out from the bins of the reliability diagram: in each, forecasts near `predicted`, of which a share `observed` rose. Flat
 * outcomes lose next to nothing and are taken out of the mean.
 */
export function holdoutBar({ accuracy, probability }: Evaluation): number {
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
  return brier + Z95 * Math.sqrt(variance / Math.max(1, accuracy.effectiveOutcomes))
}

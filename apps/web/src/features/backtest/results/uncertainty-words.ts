import type { Uncertainty } from '@shapecast/contracts/backtest'
import { formatFixed, formatRatio, formatSigned, UNKNOWN } from '../../../shared/format/number.ts'

/** Nothing was traded and nothing was held: there is no chance to allow for. */
const isNothing = (ends: readonly [number, number]) => ends[0] === 0 && ends[1] === 0

/** `−64.2 to +150.0%`; a dash where it is not known. */
export function returnInterval(uncertainty: Uncertainty | undefined): string {
  const ends = uncertainty?.totalReturnPct ?? null
  return ends === null || isNothing(ends) ? UNKNOWN : `${formatSigned(ends[0], 1)} to ${formatSigned(ends[1], 1)}%`
}

/** `95% interval −11.0 to +8.4`; null where it is not known. */
export function sharpeInterval(uncertainty: Uncertainty | undefined): string | null {
  const ends = uncertainty?.sharpeLike ?? null
  return ends === null || isNothing(ends)
    ? null
    : `95% interval ${formatSigned(ends[0], 1)} to ${formatSigned(ends[1], 1)}`
}

/** `0.61 to 1.42`, or without an end; null where it is not known. */
export function factorInterval(uncertainty: Uncertainty | undefined): string | null {
  const ends = uncertainty?.profitFactor ?? null
  if (ends === null) return null
  return ends[1] === null ? `above ${formatRatio(ends[0])}` : `${formatFixed(ends[0], 2)} to ${formatRatio(ends[1])}`
}

export const TOO_FEW = 'too few trades to tell'

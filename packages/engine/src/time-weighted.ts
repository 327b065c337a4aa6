/** What accounts are worth together at a moment, and what they were worth before it with what was put in since. Quote. */
export interface WorthStep {
  readonly worth: number
  readonly base: number
}

/**
 * The return since the first step at each step, percent: money that comes or goes between two steps counts neither as
 * profit nor as loss. Chain-linked, as in the GIPS standards (CFA Institute, 2020, 2.A.32), each deposit at the beginning
 * of its step. A step on nothing leaves it as it is.
 */
export function timeWeightedPct(steps: readonly WorthStep[]): Float64Array {
  let index = 1
  return Float64Array.from(steps, ({ worth, base }) => {
    if (base > 0) index *= Math.max(0, worth) / base
    return 100 * (index - 1)
  })
}

import { type FeatureDrift, isMostlyOutside } from './feature-drift.ts'
import type { ScoreDrift } from './score-drift.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `3 Nov 2026`, UTC. */
function dayOf(ms: number): string {
  const date = new Date(ms)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

const count = (n: number, word: string): string => `${n.toLocaleString('en-US')} ${word}${n === 1 ? '' : 's'}`
/** The live score in a sentence without its full stop. */
export function scoreVerdict({ decision, against, crossedAt, ts, mean, bar }: ScoreDrift): string {
  if (decision === 'unknown') return 'Not judged live yet'
  if (crossedAt === null)
    return against === 'holdout'
      ? `Nothing in ${count(ts.length, 'outcome')} says that it got worse than on its hold-out`
      : `Nothing in ${count(ts.length, 'outcome')} says that it is worse than knowing nothing`
  const shown = `Since ${dayOf(ts[crossedAt]!)} it is shown to predict worse than`
  const score = `Brier score ${mean!.toFixed(4)} over ${count(ts.length, 'outcome')}`
  return against === 'climatology'
    ? `${shown} knowing nothing: ${score}, climatology ${bar!.toFixed(4)}`
    : `${shown} on its hold-out${decision === 'worse' ? ', and no better than knowing nothing' : ''}: ${score}, at most ${bar!.toFixed(4)} there`
}

/** The features in a clause that goes on from the score's sentence. */
export function featureVerdict({ shifted, shiftedByChance, drifts, features }: FeatureDrift): string {
  if (shifted === 0) return `no drift: all ${features.length} features look as in training`
  const some = `${shifted} of ${features.length} features ${shifted === 1 ? 'has' : 'have'} shifted`
  if (!drifts) return `${some}, which stretches of training show too (up to ${shiftedByChance})`
  if (features.some((shift) => shift.shifted && isMostlyOutside(shift.outside)))
    return `${some}, one of them mostly to where training has shown nothing`
  return shifted > shiftedByChance
    ? `${some}, where no stretch of training shows more than ${shiftedByChance}`
    : `${some}, one of them by more than three times what training shows`
}

import type { DriftDecision, DriftTest, SeriesDrift } from '@shapecast/contracts/drift'
import { formatCounted, formatFixed } from '#kit/format/number.ts'

/** What is claimed where the evidence reaches the line. */
export const CLAIMS: Readonly<Record<DriftTest['against'], string>> = {
  climatology: 'worse than knowing nothing',
  holdout: 'worse than on its hold-out',
}

/** The score that is tested and what it is held against; null without outcomes. */
export function scoreWords({ against, mean, bar, outcomes }: DriftTest): string | null {
  if (mean === null || bar === null) return null
  const held = against === 'holdout' ? 'the most that its hold-out allows' : 'that of knowing nothing'
  return `Brier score ${formatFixed(mean, 4)} over ${formatCounted(outcomes, 'outcome')}; ${held} is ${formatFixed(bar, 4)}.`
}

/** What a chip warns of: the live score, and whether what the model looks at has drifted (null: not known). */
export interface DriftState {
  decision: DriftDecision
  featuresDrift: boolean | null
}

/** The words of a chip; null where there is nothing to warn of. */
export function chipWords({ decision, featuresDrift }: DriftState): { label: string; title: string } | null {
  const also = featuresDrift === true ? ', and its features have left what it was trained on' : ''
  if (decision === 'worse')
    return {
      label: 'worse than nothing',
      title: `Its live score is worse than that of knowing nothing${also}: see Drift`,
    }
  if (decision === 'suspect')
    return { label: 'drift suspected', title: `Its live score is worse than its hold-out allows${also}: see Drift` }
  if (featuresDrift === true)
    return { label: 'features drift', title: 'Its features have left what it was trained on: see Drift' }
  return null
}

const SCORES: Readonly<Record<DriftDecision, string>> = {
  unknown: 'No live forecast has had its outcome yet.',
  holds: 'Nothing says that it got worse.',
  suspect: 'Live it does worse than when it was judged.',
  worse: 'Live it does worse than knowing nothing.',
}

/** How it does live, whether the market still looks as in training, and what to do, in a trader's words. */
export function plainDrift({ decision, features }: Pick<SeriesDrift, 'decision' | 'features'>): string {
  const words = [SCORES[decision]]
  if (features !== null) {
    const { shifted, shiftedByChance, drifts } = features
    const all = features.features.length
    if (shifted === 0) words.push(`All ${all} inputs look as they did in training.`)
    else if (drifts) words.push(`The market has changed: ${shifted} of ${all} inputs no longer look as in training.`)
    else words.push(`${shifted} of ${all} inputs look unlike training; by chance up to ${shiftedByChance} do.`)
  }
  const isBad = decision === 'worse' || decision === 'suspect' || features?.drifts === true
  if (isBad) words.push('Train it again on newer candles before you trade on it.')
  return words.join(' ')
}

const URGENCY: Readonly<Record<DriftDecision, number>> = { worse: 0, suspect: 1, holds: 2, unknown: 3 }

/** What matters most of several series: the worst score, and whether the features of any drift. */
export const mostUrgent = (states: readonly DriftState[]): DriftState => ({
  decision: states.reduce<DriftDecision>(
    (worst, { decision }) => (URGENCY[decision] < URGENCY[worst] ? decision : worst),
    'unknown',
  ),
  featuresDrift: states.some(({ featuresDrift }) => featuresDrift === true),
})

/** Those that need a look first: by decision, then by shifted features, then by name. */
export const inUrgency = (series: readonly SeriesDrift[]): SeriesDrift[] =>
  series.toSorted(
    (a, b) =>
      URGENCY[a.decision] - URGENCY[b.decision] ||
      Number(b.features?.drifts ?? false) - Number(a.features?.drifts ?? false) ||
      a.symbol.localeCompare(b.symbol) ||
      a.timeframe.localeCompare(b.timeframe),
  )

import type { DriftDecision, DriftTest, DriftTestName, SeriesDrift } from '@shapecast/contracts/drift'
import { formatFixed, UNKNOWN } from '../format/number.ts'
import { formatShareRatio } from '../format/percent.ts'

/** What each test claims: where its evidence reaches the line, the claim is believed. */
export const CLAIMS: Readonly<Record<DriftTestName, string>> = {
  nothing: 'Worse than knowing nothing',
  holdout: 'Worse than on its hold-out',
  range: 'Range holds too little',
  skill: 'Better than knowing nothing',
}

/** A mean loss as it is read: a Brier score, or the share of outcomes within the range. */
export function lossWords(name: DriftTestName, loss: number | null): string {
  if (loss === null) return UNKNOWN
  return name === 'range' ? `${formatShareRatio(1 - loss)} held` : `Brier ${formatFixed(loss, 4)}`
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

/** The tests that warn, as they are drawn; those without outcomes are left out. */
export const warningTests = (tests: readonly DriftTest[]): DriftTest[] =>
  tests.filter(({ name, path }) => name !== 'skill' && path.length > 0)

import { type FeatureDrift, isMostlyOutside } from './feature-drift.ts'
import type { ScoreDrift, ScoreTest, TestName } from './score-drift.ts'
import { EVIDENCE } from './sequential-test.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `3 Nov 2026`, UTC. */
function dayOf(ms: number): string {
  const date = new Date(ms)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

const count = (n: number, word: string): string => `${n.toLocaleString('en-US')} ${word}${n === 1 ? '' : 's'}`
const pct = (ratio: number): string => `${(ratio * 100).toFixed(1)}%`

/** Since when, where the score was better before; over all outcomes where that cannot be told. */
const sinceWords = ({ changedAt, ts }: ScoreTest): string =>
  changedAt === null || changedAt === 0 ? `Over its ${count(ts.length, 'outcome')}` : `Since ${dayOf(ts[changedAt]!)}`

const CLAIM: Readonly<Record<Exclude<TestName, 'skill'>, (test: ScoreTest) => string>> = {
  nothing: (test) =>
    `it predicts worse than knowing nothing: Brier score ${test.since!.toFixed(4)}, climatology ${test.bar!.toFixed(4)}`,
  holdout: (test) =>
    `it predicts worse than on its hold-out: Brier score ${test.since!.toFixed(4)}, at most ${test.bar!.toFixed(4)} there`,
  range: (test) =>
    `its 90% range holds ${pct(1 - test.since!)} of outcomes only, less than the ${pct(1 - test.bar!)} that its hold-out allows`,
}

/** The live score in a sentence without its full stop. */
export function scoreVerdict({ decision, tests }: ScoreDrift): string {
  if (decision === 'unknown') return 'Not judged live yet'
  const bad = (['nothing', 'holdout', 'range'] as const)
    .map((name) => tests.find((test) => test.name === name && test.crossedAt !== null))
    .find((test) => test !== undefined)
  if (bad !== undefined) return `${sinceWords(bad)} ${CLAIM[bad.name as Exclude<TestName, 'skill'>](bad)}`
  const outcomes = Math.max(...tests.map((test) => test.e.length))
  const skill = tests.find((test) => test.name === 'skill')
  const held = tests.some((test) => test.name === 'holdout')
    ? 'says that it got worse than on its hold-out'
    : 'speaks against it'
  // Evidence of skill that has melted away again is not boasted of.
  return skill !== undefined && (skill.e[skill.e.length - 1] ?? 0) >= EVIDENCE
    ? `Over ${count(outcomes, 'outcome')} it predicts better than knowing nothing, and nothing ${held}`
    : `Nothing in ${count(outcomes, 'outcome')} ${held}`
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

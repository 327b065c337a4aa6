import type { DriftTest } from '@shapecast/contracts/drift'
import type { DriftSubject } from '@shapecast/ml/drift/drift-subject'
import { holdoutBar } from '@shapecast/ml/drift/holdout-bar'
import { type LiveOutcome, type ScoreDrift, scoreDrift } from '@shapecast/ml/drift/score-drift'

/** The newest outcomes of an artifact that its test looks at: more than a year of hours. */
export const MOST_OUTCOMES = 10_000
const MOST_POINTS = 240

/** The test of an artifact's live score; of its outcomes in order of time, `MOST_OUTCOMES` at most. */
export const watchScore = (outcomes: LiveOutcome[], { evaluation, signalHorizon }: DriftSubject): ScoreDrift =>
  scoreDrift(outcomes, signalHorizon, evaluation === null ? null : holdoutBar(evaluation))

/** Indices of about `most` values that keep the curve's shape: of each stretch the largest, and the last of all. */
export function largestOfStretches(values: ArrayLike<number>, most: number): number[] {
  const n = values.length
  if (n <= most) return Array.from({ length: n }, (_, i) => i)
  const kept = Array.from({ length: most - 1 }, (_, k) => {
    const [from, to] = [Math.floor((k * (n - 1)) / (most - 1)), Math.floor(((k + 1) * (n - 1)) / (most - 1))]
    let best = from
    for (let i = from + 1; i < to; i++) if (values[i]! > values[best]!) best = i
    return best
  })
  return [...kept, n - 1]
}

/** The test as the API shows it. */
export const shownTest = ({ against, e, ts, largestE, crossedAt, mean, bar }: ScoreDrift): DriftTest => ({
  against,
  outcomes: e.length,
  e: e[e.length - 1] ?? 1,
  largestE,
  crossedAt: crossedAt === null ? null : ts[crossedAt]!,
  mean,
  bar,
  path: largestOfStretches(e, MOST_POINTS).map((i) => ({ ts: ts[i]!, e: e[i]! })),
})

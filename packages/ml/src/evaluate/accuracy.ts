import {
  type AccuracyReport,
  CREDIBLE_ACCURACY,
  type DirectionVerdict,
  type Evaluation,
} from '@shapecast/contracts/evaluation'
import { effectiveOutcomes, wilsonInterval, Z95 } from './intervals.ts'

export interface DirectionCalls {
  /** Probabilities of "up", by hold-out row. */
  pUp: Float64Array
  /** Log returns over the signal horizon, by hold-out row. */
  returns: Float64Array
  /** Log returns over as many candles before, by hold-out row: the reversal rule calls the opposite. */
  before: Float64Array
  /** Whether more outcomes rose than fell before the hold-out: what the majority rule always calls. By row of several models. */
  majorityRises: boolean | readonly boolean[]
  horizon: number
}

/**
 * In words, whether the paired difference of hits is more than chance over the effective outcomes. Its variance is that of
 * no difference, the share of outcomes that only one of the two called right (McNemar, Psychometrika 12, 1947): a few
 * outcomes that all turn out alike would seem to vary by nothing.
 */
function verdictOf(hits: readonly number[], baseline: readonly number[], name: string, effective: number): string {
  const differences = hits.map((hit, i) => hit - baseline[i]!)
  const mean = differences.reduce((sum, d) => sum + d, 0) / differences.length
  const variance = differences.reduce((sum, d) => sum + d ** 2, 0) / differences.length
  const reach = Z95 * Math.sqrt(variance / effective)
  if (Math.abs(mean) <= reach) return `indistinguishable from the ${name} baseline`
  return `${mean > 0 ? 'better' : 'worse'} than the ${name} baseline`
}

/**
 * Share of candles whose direction P(up) called right, beside always calling the past's majority and always calling a
 * reversal. A flat outcome is neither right nor wrong and is left out of all three.
 */
export function accuracyReport(calls: DirectionCalls): Evaluation['accuracy'] {
  const { pUp, returns, before, majorityRises, horizon } = calls
  const [hits, majority, reversal]: [number[], number[], number[]] = [[], [], []]
  let flatOutcomes = 0
  for (let i = 0; i < pUp.length; i++) {
    const r = returns[i]!
    if (Number.isNaN(r) || Number.isNaN(pUp[i]!)) continue
    if (r === 0) {
      flatOutcomes++
      continue
    }
    const rose = r > 0
    const past = before[i]!
    const rises = typeof majorityRises === 'boolean' ? majorityRises : majorityRises[i]!
    hits.push(pUp[i]! > 0.5 === rose ? 1 : 0)
    majority.push(rises === rose ? 1 : 0)
    reversal.push((past === 0 || Number.isNaN(past) ? rises : past < 0) === rose ? 1 : 0)
  }
  const share = (list: readonly number[]): number => list.reduce((sum, hit) => sum + hit, 0) / Math.max(1, list.length)
  const outcomes = hits.length
  const effective = effectiveOutcomes(outcomes, horizon)
  const reversalIsBetter = share(reversal) > share(majority)
  return {
    accuracy: share(hits),
    interval: wilsonInterval(share(hits), effective),
    outcomes,
    flatOutcomes,
    effectiveOutcomes: effective,
    majorityBaseline: share(majority),
    reversalBaseline: share(reversal),
    verdict:
      outcomes === 0
        ? 'no outcome to judge by'
        : reversalIsBetter
          ? verdictOf(hits, reversal, 'reversal', effective)
          : verdictOf(hits, majority, 'majority', effective),
  }
}

/** What a report says, as a code. Cards keep the verdict in the words of `accuracyReport`, which are read here. */
export function directionVerdict(report: AccuracyReport): DirectionVerdict {
  const { verdict, accuracy, majorityBaseline, reversalBaseline } = report
  const rule = verdict.includes('reversal') ? 'reversal' : 'majority'
  const code = accuracy > CREDIBLE_ACCURACY ? 'not_credible' : codeOf(verdict)
  return { code, holdsUp: code === 'better', rule, ruleRatio: Math.max(majorityBaseline, reversalBaseline) }
}

function codeOf(verdict: string): DirectionVerdict['code'] {
  if (verdict.startsWith('better')) return 'better'
  if (verdict.startsWith('worse')) return 'worse'
  return verdict.startsWith('indistinguishable') ? 'no_better' : 'not_judged'
}

import { FEWEST_OUTCOMES, type LiveScores, type LiveVerdict } from '@shapecast/contracts/track-record'

const GUESSING = 0.5

type Scores = Pick<
  LiveScores,
  'outcomes' | 'flatOutcomes' | 'accuracy' | 'interval' | 'majorityBaseline' | 'reversalBaseline'
>

/** What live forecasts say of a direction: the codes of `LiveVerdict`. Those after which the price stood still do not count. */
export function liveVerdict(scores: Scores): LiveVerdict {
  const { accuracy, interval, majorityBaseline, reversalBaseline } = scores
  const forecasts = scores.outcomes - scores.flatOutcomes
  const rule = (reversalBaseline ?? 0) >= (majorityBaseline ?? 0) ? 'reversal' : 'majority'
  if (accuracy === null || interval === null || forecasts === 0)
    return { code: 'not_judged', forecasts, right: 0, rule, ruleRatio: null }
  const ruleRatio = Math.max(reversalBaseline ?? 0, majorityBaseline ?? 0)
  const code = forecasts < FEWEST_OUTCOMES ? 'too_few' : codeOf(interval, ruleRatio)
  return { code, forecasts, right: Math.round(accuracy * forecasts), rule, ruleRatio }
}

function codeOf([low, high]: readonly [number, number], ruleRatio: number): LiveVerdict['code'] {
  if (low > Math.max(GUESSING, ruleRatio)) return 'better_than_guessing'
  if (high < GUESSING) return 'worse_than_guessing'
  return low > GUESSING ? 'no_better_than_rule' : 'may_be_luck'
}

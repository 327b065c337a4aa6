import type { LiveScores } from '@shapecast/contracts/track-record'
import { shareWords } from '#entities/models/interval-words.ts'
import { formatCount } from '#kit/format/number.ts'
import { formatShareRatio } from '#kit/format/percent.ts'

/** Outcomes below which nobody can tell skill from luck. */
const FEWEST = 30

export interface RecordVerdict {
  readonly chip: string
  /** Amber: nothing to trade on. */
  readonly isCaution: boolean
  /** What came of its forecasts, in counts. */
  readonly sentence: string
  /** What follows for somebody who trades. */
  readonly next: string
}

type Judged = Pick<
  LiveScores,
  'outcomes' | 'flatOutcomes' | 'accuracy' | 'interval' | 'majorityBaseline' | 'reversalBaseline'
>

/** What live forecasts say of a model's direction, held against guessing and against the better simple rule. */
export function recordVerdict(scores: Judged): RecordVerdict {
  const { accuracy, interval, majorityBaseline, reversalBaseline } = scores
  // Those after which the price stood still were neither right nor wrong.
  const moved = scores.outcomes - scores.flatOutcomes
  if (accuracy === null || interval === null || moved === 0)
    return {
      chip: 'not judged yet',
      isCaution: true,
      sentence: 'No forecast has had its outcome yet.',
      next: 'Each is judged when the candle that it speaks of has closed. Until then a backtest tells more.',
    }
  const isReversal = (reversalBaseline ?? 0) >= (majorityBaseline ?? 0)
  const rule = isReversal ? 'betting on a reversal' : 'always betting one way'
  const ruleShare = Math.max(reversalBaseline ?? 0, majorityBaseline ?? 0)
  const said =
    `Of ${formatCount(moved)} forecasts ${formatCount(Math.round(accuracy * moved))} had the right direction: ` +
    `${shareWords(accuracy, interval)}. Guessing would have 50%, ${rule} ${formatShareRatio(ruleShare)}.`
  const [low, high] = interval
  if (moved < FEWEST)
    return {
      chip: 'too few to tell',
      isCaution: true,
      sentence: `${said} That can be luck.`,
      next: `Wait: below ${FEWEST} outcomes nobody can tell skill from luck. Until then a backtest tells more.`,
    }
  if (low > Math.max(0.5, ruleShare))
    return {
      chip: 'better than guessing',
      isCaution: false,
      sentence: `${said} That is more than luck explains.`,
      next: 'Backtest it with its costs before a bot trades on it.',
    }
  if (high < 0.5)
    return {
      chip: 'worse than guessing',
      isCaution: true,
      sentence: `${said} That is less than luck explains.`,
      next: 'Do not trade on it. Train it again on newer candles.',
    }
  return {
    chip: low > 0.5 ? `no better than ${rule}` : 'can be luck',
    isCaution: true,
    sentence: low > 0.5 ? `${said} The simple rule may do as well.` : `${said} That can be luck.`,
    next: 'Do not trade on its direction alone. Let it set the size: a bot with Model as brake does that.',
  }
}

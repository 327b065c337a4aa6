import {
  FEWEST_OUTCOMES,
  type LiveScores,
  type LiveVerdict,
  type SealedSpan,
  type TrackRecord,
} from '@shapecast/contracts/track-record'
import { Check, Equal } from 'lucide-react'
import { ruleWords } from '#entities/models/direction-verdict.ts'
import { shareWords, skillWords } from '#entities/models/interval-words.ts'
import { formatCount, formatCounted, UNKNOWN } from '#kit/format/number.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { Chip } from '#kit/ui/chip.tsx'
import type { Column } from '#kit/ui/data-table.tsx'

type Judged = Pick<LiveScores, 'accuracy' | 'interval' | 'direction'>

const SIZE_ONLY = 'Do not trade on its direction alone. Let it set the size: a bot with Model as brake does that.'

/** The words of each code: chip, what the counts mean, and what follows. */
const WORDS: Readonly<Record<LiveVerdict['code'], readonly [chip: string, meaning: string, next: string]>> = {
  not_judged: [
    'not judged yet',
    'No forecast has had its outcome yet.',
    'Each is judged when the candle that it speaks of has closed. Until then a backtest tells more.',
  ],
  too_few: [
    'too few to tell',
    'That can be luck.',
    `Wait: below ${FEWEST_OUTCOMES} outcomes nobody can tell skill from luck. Until then a backtest tells more.`,
  ],
  better_than_guessing: [
    'better than guessing',
    'That is more than luck explains.',
    'Backtest it with its costs before a bot trades on it.',
  ],
  worse_than_guessing: [
    'worse than guessing',
    'That is less than luck explains.',
    'Do not trade on it. Train it again on newer candles.',
  ],
  no_better_than_rule: ['no better than', 'The simple rule may do as well.', SIZE_ONLY],
  may_be_luck: ['can be luck', 'That can be luck.', SIZE_ONLY],
}

/**
 * What live forecasts say of a model's direction, held against guessing and against the better simple rule: a chip, amber
 * where there is nothing to trade on, the counts, and what follows for somebody who trades.
 */
export function recordVerdict({ direction, accuracy, interval }: Judged) {
  const { code, forecasts, right, rule, ruleRatio } = direction
  const [words, meaning, next] = WORDS[code]
  const chip = code === 'no_better_than_rule' ? `${words} ${ruleWords(rule)}` : words
  const counts =
    code === 'not_judged'
      ? ''
      : `Of ${formatCount(forecasts)} forecasts ${formatCount(right)} had the right direction: ` +
        `${shareWords(accuracy, interval)}. Guessing would have 50%, ${ruleWords(rule)} ${formatShareRatio(ruleRatio)}. `
  return { chip, isCaution: code !== 'better_than_guessing', sentence: `${counts}${meaning}`, next }
}

/** Never green: a record is no promise. */
export const VerdictChip = ({ verdict: { chip, isCaution } }: { verdict: ReturnType<typeof recordVerdict> }) => (
  <Chip label={chip} tone={isCaution ? 'warn' : 'filled'} icon={isCaution ? <Equal /> : <Check />} />
)

/** `342 of 350 candles`: how much of what a record could hold it holds. */
export const spanWords = (span: SealedSpan | null): string =>
  span === null ? UNKNOWN : `${formatCount(span.candles - span.missed)} of ${formatCounted(span.candles, 'candle')}`

/** The scores of a version, or of one of its series. */
export const [ACCURACY, ...JUDGED]: readonly [Column<Scored>, ...Column<Scored>[]] = [
  {
    head: 'Right direction, 95% interval',
    cell: ({ scores }) => shareWords(scores.accuracy, scores.interval),
    figure: true,
    keep: true,
  },
  { head: 'Judged', cell: ({ scores }) => formatCount(scores.outcomes), figure: true },
  {
    head: 'Skill, 95% interval',
    cell: ({ scores }) => skillWords(scores.brierSkill, scores.brierSkillInterval),
    figure: true,
  },
  { head: 'Written down', cell: ({ span }) => spanWords(span), figure: true },
]
interface Scored {
  readonly scores: LiveScores
  readonly span: SealedSpan | null
}

export type WidestSeries = TrackRecord['series'][number]

/** The series with most outcomes among those whose range was judged. */
export const widestSeries = (series: TrackRecord['series']): WidestSeries | undefined =>
  series.filter(({ coverage }) => coverage.length > 0).toSorted((a, b) => b.scores.outcomes - a.scores.outcomes)[0]

import type { BacktestRun } from '@shapecast/contracts/backtest'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { formatCount } from '#kit/format/number.ts'
import { formatDate, formatDateTimeYear } from '#kit/format/time.ts'
import { wholePct } from '../run-summary.ts'

type SeenFacts =
  | { readonly kind: 'none'; readonly text: string }
  | {
      readonly kind: 'some'
      readonly title: string
      readonly text: string
      /** Percent of the range, whole, for the words of the bar. */
      readonly seenPct: number
      /** Where on the range the seen part lies, both percent of its length. */
      readonly seenSpan: { readonly fromPct: number; readonly toPct: number }
    }

type SeenBasis = BacktestRun['seen']['ranges'][number]['basis']

function trainedOn(run: Pick<BacktestRun, 'seen' | 'startTime' | 'timeframe'>): string {
  const spans = new Map<string, { from: number; to: number; basis: SeenBasis }>()
  for (const { version, from, to, basis } of run.seen.ranges) {
    const known = spans.get(version)
    spans.set(version, { from: Math.min(from, known?.from ?? from), to: Math.max(to, known?.to ?? to), basis })
  }
  const sentences = [...spans].map(([version, { from, to, basis }]) => {
    if (basis === 'unknown')
      return `Nobody here knows what ${version} was trained on: any candle up to ${formatDateTimeYear(to)}, when it was uploaded, may be of it.`
    const since = from > run.startTime + TIMEFRAME_MS[run.timeframe] ? `from ${formatDateTimeYear(from)} ` : ''
    const whose = basis === 'declared' ? 'By its author’s word ' : ''
    return `${whose}${version} has seen (training and validation) candles ${since}up to ${formatDateTimeYear(to)}.`
  })
  return sentences.join(' ')
}

/** The seen part from its first to its last candle, as a stretch of the range. */
function spanOf({ seen, startTime, endTime, timeframe }: SeenRun): { fromPct: number; toPct: number } {
  const step = TIMEFRAME_MS[timeframe]
  const length = endTime + step - startTime
  const pctOf = (ms: number) => Math.min(100, Math.max(0, (100 * (ms - startTime)) / length))
  const from = Math.min(...seen.ranges.map((range) => range.from))
  const to = Math.max(...seen.ranges.map((range) => range.to))
  return seen.ranges.length === 0 ? { fromPct: 0, toPct: 0 } : { fromPct: pctOf(from), toPct: pctOf(to + step) }
}

/** The unseen column is judged by what follows the training; says so where other unseen candles are left out of it. */
function leftOut({ seen, seenRatio, candles }: SeenRun): string {
  const counted = seen.unseen?.candles ?? 0
  const missing = Math.round(candles * (1 - seenRatio)) - counted
  if (seen.unseen === null || missing <= candles / 100) return ''
  return ` The unseen column holds the ${formatCount(counted)} candles from ${formatDate(seen.unseen.from)} to ${formatDate(seen.unseen.to)}.`
}

/** What only an author says is told as such. */
function onTheirWord({ seen: { byAuthorsWord = [] } }: SeenRun, several: boolean): string {
  if (byAuthorsWord.length === 0) return ''
  const whose = several ? ` of ${byAuthorsWord.join(', ')}` : ''
  return `, by the word of the author${whose}, who trained elsewhere: nobody here can check it`
}

type SeenRun = Pick<BacktestRun, 'params' | 'seen' | 'seenRatio' | 'startTime' | 'endTime' | 'timeframe' | 'candles'>

/** What is to be said about the part of the range from which a model of the run had learnt. */
export function seenFacts(run: SeenRun): SeenFacts {
  if (run.params.strategy === 'openai')
    return { kind: 'none', text: 'What an OpenAI model has seen of this range is not known.' }
  const several = (run.params.mlModelVersions?.length ?? 0) > 1
  if (run.seenRatio <= 0) {
    const none = several ? 'The models had seen none of this range' : 'The model had seen none of this range'
    return { kind: 'none', text: `${none}${onTheirWord(run, several)}.` }
  }
  const seenPct = wholePct(run.seenRatio)
  const subject = several ? 'Models' : 'Model'
  const had = run.seen.ranges.some(({ basis }) => basis === 'unknown') ? 'may have seen' : 'had seen'
  if (seenPct === 100)
    return {
      kind: 'some',
      title: `${subject} ${had} all of this range`,
      text: `${trainedOn(run)} There is no unseen part to judge by: choose later dates.`.trim(),
      seenPct,
      seenSpan: spanOf(run),
    }
  return {
    kind: 'some',
    title: `${subject} ${had} ${seenPct}% of this range`,
    text: `${trainedOn(run)} Judge the result by the unseen part.${leftOut(run)}`.trim(),
    seenPct,
    seenSpan: spanOf(run),
  }
}

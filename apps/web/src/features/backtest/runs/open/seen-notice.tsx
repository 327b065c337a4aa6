import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { Metrics, RunIntervals } from '@shapecast/contracts/backtest-results'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { directionOf, formatCount, formatRatio } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { formatDate, formatDateTimeYear } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { frameClass } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, directionColor, Row, Text } from '#kit/ui/primitives.tsx'
import { returnInterval, unseenVerdict, wholePct } from '../run-summary.ts'
import css from './seen-notice.module.css'

/** Says which part of the range the model had learnt from, and how the rest did by itself. */
export function SeenNotice({ run, nextStep }: { run: BacktestRun; nextStep: ReactNode }) {
  const facts = seenFacts(run)
  if (facts.kind === 'none')
    return (
      <Column gap={0.75} style={{ justifyItems: 'start' }}>
        <Text size="small" tone="text2">
          {facts.text}
        </Text>
        <UnseenVerdict run={run} />
        {nextStep}
      </Column>
    )
  return (
    <section aria-label={facts.title} className={`${frameClass(true)} ${css.notice}`}>
      <div className={css.words}>
        <Row gap={1.25} align="stretch">
          <div className={layout.byWords} style={{ color: colors.warn }}>
            <TriangleAlert size={18} />
          </div>
          <div>
            <Text weight={500}>{facts.title}</Text>
            <Text size="small" tone="text2">
              {facts.text}
            </Text>
          </div>
        </Row>
        <SeenBar seenPct={facts.seenPct} span={facts.seenSpan} />
        <UnseenVerdict run={run} />
        <div className={layout.unlessEmpty}>{nextStep}</div>
      </div>
      <div className={css.table}>
        <SeenTable run={run} />
      </div>
    </section>
  )
}

function UnseenVerdict({ run }: { run: BacktestRun }) {
  const verdict = unseenVerdict(run)
  if (verdict === null) return null
  return (
    <Column gap={0.75} style={{ justifyItems: 'start' }}>
      {verdict.caution !== null && <Chip label={verdict.caution} tone="warn" />}
      <Text size="small" tone="text2">
        {verdict.text}
      </Text>
    </Column>
  )
}

function SeenBar({ seenPct, span }: { seenPct: number; span: { fromPct: number; toPct: number } }) {
  return (
    <div>
      <div aria-hidden="true" className={css.bar}>
        {span.fromPct > 0 && <div className={css.before} style={{ width: `${span.fromPct}%` }} />}
        <div className={css.seen} style={{ width: `${span.toPct - span.fromPct}%` }} />
        {span.toPct < 100 && <div className={css.after} />}
      </div>
      <Row gap={0} between above={0.75}>
        <Text size="label" tone="warn">
          in-sample {seenPct}%
        </Text>
        <Text size="label" tone="text2">
          unseen {100 - seenPct}%
        </Text>
      </Row>
    </div>
  )
}

const INTERVAL = '95% interval'
const RETURN = 'Net return'
const ROWS: readonly (readonly [
  head: string,
  text: (metrics: Metrics, intervals: RunIntervals | undefined) => string,
])[] = [
  [RETURN, (metrics) => formatChangePct(metrics.totalReturnPct)],
  [INTERVAL, (_, intervals) => returnInterval(intervals)],
  ['Buy and hold', (metrics) => formatChangePct(metrics.buyAndHoldReturnPct)],
  ['Trades', (metrics) => formatCount(metrics.trades)],
  ['Win rate', (metrics) => formatSharePct(metrics.winRate)],
  ['Profit factor', (metrics) => formatRatio(metrics.profitFactor)],
]

function SeenTable({ run }: { run: Pick<BacktestRun, 'seen' | 'metrics' | 'intervals'> }) {
  const { seen, unseen } = run.seen
  const cell = (part: typeof unseen, text: (typeof ROWS)[number][1]) =>
    part === null ? '—' : text(part.metrics, part.intervals)
  const unseenColor = directionColor(directionOf(unseen?.metrics.totalReturnPct))
  return (
    <table aria-label="Results of the seen and the unseen part" className={css.figures}>
      <thead>
        <tr>
          <td />
          <th scope="col">In-sample</th>
          <th scope="col" data-unseen>
            Unseen
          </th>
          <th scope="col">
            Whole
            <span className={css.range}>{' range'}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(([head, text]) => (
          <tr key={head} {...(head === INTERVAL && { 'data-interval': true })}>
            <th scope="row">{head}</th>
            <td>{cell(seen, text)}</td>
            <td data-unseen style={head === RETURN ? { color: unseenColor } : undefined}>
              {cell(unseen, text)}
            </td>
            <td>{text(run.metrics, run.intervals)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
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
export function seenFacts(run: SeenRun) {
  if (run.params.strategy === 'openai')
    return { kind: 'none' as const, text: 'What an OpenAI model has seen of this range is not known.' }
  const several = (run.params.mlModelVersions?.length ?? 0) > 1
  if (run.seenRatio <= 0) {
    const none = several ? 'The models had seen none of this range' : 'The model had seen none of this range'
    return { kind: 'none' as const, text: `${none}${onTheirWord(run, several)}.` }
  }
  const seenPct = wholePct(run.seenRatio)
  const had = run.seen.ranges.some(({ basis }) => basis === 'unknown') ? 'may have seen' : 'had seen'
  const [share, judge] =
    seenPct === 100
      ? ['all', 'There is no unseen part to judge by: choose later dates.']
      : [`${seenPct}%`, `Judge the result by the unseen part.${leftOut(run)}`]
  return {
    kind: 'some' as const,
    title: `${several ? 'Models' : 'Model'} ${had} ${share} of this range`,
    text: `${trainedOn(run)} ${judge}`.trim(),
    /** Percent of the range, whole, for the words of the bar. */
    seenPct,
    /** Where on the range the seen part lies, both percent of its length. */
    seenSpan: spanOf(run),
  }
}

import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { Metrics, RunIntervals } from '@shapecast/contracts/backtest-results'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { directionOf, formatCount, formatRatio } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Row } from '#kit/ui/layout.tsx'
import { directionColor, Text } from '#kit/ui/text.tsx'
import { returnInterval, unseenVerdict } from '../uncertainty-words.ts'
import { seenFacts } from './seen-facts.ts'
import css from './seen-notice.module.css'

/** Says which part of the range the model had learnt from, and how the rest did by itself. */
export function SeenNotice({ run, nextStep }: { run: BacktestRun; nextStep: ReactNode }) {
  const facts = seenFacts(run)
  if (facts.kind === 'none')
    return (
      <Column gap={0.75} className={css.start}>
        <Text size="small" tone="text2">
          {facts.text}
        </Text>
        <UnseenVerdict run={run} />
        {nextStep}
      </Column>
    )
  return (
    <section aria-label={facts.title} className={css.notice}>
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
        <div className={css.next}>{nextStep}</div>
      </div>
      <div className={css.table}>
        <SeenTable run={run} />
      </div>
    </section>
  )
}

/** What the part to judge by is worth: too little to tell, or a result, and what to do next. */
function UnseenVerdict({ run }: { run: BacktestRun }) {
  const verdict = unseenVerdict(run)
  if (verdict === null) return null
  return (
    <Column gap={0.75} className={css.start}>
      {verdict.caution !== null && <Chip label={verdict.caution} tone="warn" />}
      <Text size="small" tone="text2">
        {verdict.text}
      </Text>
    </Column>
  )
}

/** How much of the range was seen in training and where it lies, as a bar with its words. */
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

const ROWS: readonly {
  head: string
  text: (metrics: Metrics, intervals: RunIntervals | undefined) => string
  isChange?: boolean
  isInterval?: boolean
}[] = [
  { head: 'Net return', text: (metrics) => formatChangePct(metrics.totalReturnPct), isChange: true },
  { head: '95% interval', text: (_, intervals) => returnInterval(intervals), isInterval: true },
  { head: 'Buy and hold', text: (metrics) => formatChangePct(metrics.buyAndHoldReturnPct) },
  { head: 'Trades', text: (metrics) => formatCount(metrics.trades) },
  { head: 'Win rate', text: (metrics) => formatSharePct(metrics.winRate) },
  { head: 'Profit factor', text: (metrics) => formatRatio(metrics.profitFactor) },
]

/** In-sample, unseen and whole range side by side; the unseen part stands out. */
function SeenTable({ run }: { run: Pick<BacktestRun, 'seen' | 'metrics' | 'intervals'> }) {
  const { seen, unseen } = run.seen
  const cell = (part: typeof unseen, text: (typeof ROWS)[number]['text']) =>
    part === null ? '—' : text(part.metrics, part.intervals)
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
        {ROWS.map(({ head, text, isChange, isInterval }) => (
          <tr key={head} {...(isInterval && { 'data-interval': true })}>
            <th scope="row">{head}</th>
            <td>{cell(seen, text)}</td>
            <td
              data-unseen
              style={
                isChange && unseen !== null
                  ? { color: directionColor(directionOf(unseen.metrics.totalReturnPct)) }
                  : undefined
              }
            >
              {cell(unseen, text)}
            </td>
            <td>{text(run.metrics, run.intervals)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

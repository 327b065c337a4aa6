import type { TrackRecord } from '@shapecast/contracts/track-record'
import type { ReactNode } from 'react'
import { CoveragePlot } from '#charts/plots/coverage-plot.tsx'
import { ReliabilityPlot } from '#charts/plots/reliability-plot.tsx'
import { SharesPlot } from '#charts/plots/shares-plot.tsx'
import { skillWords } from '#entities/models/interval-words.ts'
import { RECORD_TERMS } from '#entities/terms/model-terms.ts'
import { formatCount, formatFixed } from '#kit/format/number.ts'
import { formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { formatDate, formatDay } from '#kit/format/time.ts'
import { LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Evidence, EvidenceRow, Facts } from '#kit/ui/facts.tsx'
import { Folded, Meanings } from '#kit/ui/folded.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import {
  ACCURACY,
  JUDGED,
  recordVerdict,
  spanWords,
  VerdictChip,
  type WidestSeries,
  widestSeries,
} from './record-verdict.tsx'
import { SealedCard } from './sealed-card.tsx'

const SERIES_COLUMNS: readonly Column<WidestSeries>[] = [
  { head: 'Coin', cell: (row) => `${row.symbol} ${row.timeframe}`, keep: true },
  ACCURACY,
  ...JUDGED,
]

/** What a version's forecasts came to: what follows from it first, the evidence below. */
export function RecordView({
  record,
  nextSeal,
  leaderboard,
  drift,
}: {
  record: TrackRecord
  nextSeal: string
  leaderboard: ReactNode
  drift: ReactNode
}) {
  const { course, reliability, series } = record
  const widest = widestSeries(series)
  return (
    <>
      <VerdictCard record={record} widest={widest} nextSeal={nextSeal} />
      <SealedCard rows={record.newest} head={record.head} nextSeal={nextSeal} />
      {leaderboard}
      {drift}
      {series.length > 1 && (
        <Card title="Coin by coin" flush>
          <DataTable
            label="Coin by coin"
            columns={SERIES_COLUMNS}
            rows={series}
            rowKey={(row) => `${row.symbol} ${row.timeframe}`}
          />
        </Card>
      )}
      {course.parts.length > 0 && (
        <div className={layout.twoCards}>
          <CourseCards course={course} />
        </div>
      )}
      {(reliability.length > 0 || widest !== undefined) && (
        <div className={layout.twoCards}>
          {reliability.length > 0 && (
            <Card title="Do its percentages mean what they say?" facts="on the dashed line they do">
              <ReliabilityPlot label="Live forecasts against the observed share of rises" bins={reliability} />
            </Card>
          )}
          {widest !== undefined && (
            <Card title="Closes inside its range" facts={`by candles ahead, ${widest.symbol} ${widest.timeframe}`}>
              <CoveragePlot
                label={`Share of live outcomes within the range on ${widest.symbol} ${widest.timeframe}`}
                points={widest.coverage}
              />
            </Card>
          )}
        </div>
      )}
    </>
  )
}

type Course = TrackRecord['course']

const TITLES: Readonly<Record<Course['unit'], string>> = { day: 'Day', week: 'Week from', month: 'Month' }

/** `21 Sep`, `Sep 2022`. */
const nameOf = (unit: Course['unit'], from: number): string =>
  unit === 'month' ? formatDate(from).replace('1 ', '') : formatDay(from)

function CourseCards({ course: { unit, parts } }: { course: Course }) {
  const xTitle = `${TITLES[unit]}, UTC`
  const columns = parts
    .filter(({ accuracy }) => accuracy !== null)
    .map((part) => ({ ...part, name: nameOf(unit, part.from) }))
  if (columns.length === 0) return null
  return (
    <>
      <Card title={`Right direction by ${unit}`}>
        <SharesPlot
          label={`Live accuracy by ${unit}`}
          xTitle={xTitle}
          columns={columns.map(({ name, accuracy, interval }) => ({ name, share: accuracy, interval }))}
          lines={[{ word: 'guessing', share: 0.5 }]}
          shareWord="right"
        />
      </Card>
      <Card title={`Skill by ${unit}`} facts="above 0 its percentages beat knowing nothing">
        <SharesPlot
          of="skill"
          label={`Live Brier skill over climatology by ${unit}`}
          xTitle={xTitle}
          columns={columns.map(({ name, brierSkill: share, brierSkillInterval: interval }) => ({
            name,
            share,
            interval,
          }))}
          lines={[{ word: 'knowing nothing', share: 0 }]}
          shareWord="Brier skill"
        />
      </Card>
    </>
  )
}

function VerdictCard({
  record: { total, span, version },
  widest,
  nextSeal,
}: {
  record: TrackRecord
  widest: WidestSeries | undefined
  nextSeal: string
}) {
  const verdict = recordVerdict(total)
  const range = widest?.coverage[0]
  return (
    <Card
      title="What it said before it happened"
      facts={`${version}, live`}
      actions={<VerdictChip verdict={verdict} />}
    >
      <Text style={{ maxWidth: 820 }}>{verdict.sentence}</Text>
      <Text size="small" tone="text2" above={0.5} style={{ marginBottom: 16, maxWidth: 820 }}>
        Every forecast is written down before its outcome and cannot be changed afterwards. {nextSeal}
      </Text>
      <EvidenceRow>
        <Evidence label="Right direction" value={formatShareRatio(total.accuracy)}>
          {total.interval === null ? 'once outcomes are known' : formatInterval(total.interval)}
        </Evidence>
        <Evidence label="Always betting one way" value={formatShareRatio(total.majorityBaseline)}>
          a simple rule, to compare
        </Evidence>
        <Evidence label="Betting on a reversal" value={formatShareRatio(total.reversalBaseline)}>
          against the last candle
        </Evidence>
        <Evidence label="Closes inside its 90% range" value={formatShareRatio(range?.coverage90)}>
          {range === undefined
            ? 'nine of ten should be'
            : `${formatInterval(range.interval)} · ${widest?.symbol} ${widest?.timeframe}`}
        </Evidence>
        <Evidence label="Written down" value={spanWords(span)}>
          {span !== null && `${formatCount(span.missed)} missed`}
        </Evidence>
      </EvidenceRow>
      <Row gap={1.5} wrap above={2}>
        <Text size="small" tone="text2" style={{ flex: '1 1 300px' }}>
          What follows: {verdict.next}
        </Text>
        <LinkButton variant="secondary" size="small" to={paths.backtest}>
          Open Backtest
        </LinkButton>
      </Row>
      {total.brier !== null && (
        <Folded title="How sure is this?">
          <Text size="small" tone="text2" style={{ maxWidth: 760 }}>
            The figures after a value are its 95% interval: in about 19 of 20 such records the truth lies inside. Where
            it holds 50% (of a skill, 0), luck alone can explain the value.
          </Text>
          <div style={{ maxWidth: 560 }}>
            <Facts
              facts={[
                { label: 'Brier score', value: formatFixed(total.brier, 4) },
                { label: 'Brier score of knowing nothing', value: formatFixed(total.climatologyBrier, 4) },
                { label: 'Skill', value: skillWords(total.brierSkill, total.brierSkillInterval) },
                {
                  label: 'Effective outcomes',
                  value: [total.effectiveOutcomes, total.outcomes].map(formatCount).join(' of '),
                },
              ]}
            />
          </div>
        </Folded>
      )}
      <Meanings terms={RECORD_TERMS} />
    </Card>
  )
}

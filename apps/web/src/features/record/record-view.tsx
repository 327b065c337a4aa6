import type { TrackRecord } from '@shapecast/contracts/track-record'
import type { ReactNode } from 'react'
import { CoveragePlot } from '#charts/plots/coverage-plot.tsx'
import { ReliabilityPlot } from '#charts/plots/reliability-plot.tsx'
import { SharesPlot } from '#charts/plots/shares-plot.tsx'
import { SkillPlot } from '#charts/plots/skill-plot.tsx'
import { shareWords, skillWords } from '#entities/models/interval-words.ts'
import { formatCount } from '#kit/format/number.ts'
import { formatDate, formatDay } from '#kit/format/time.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { spanWords, widestSeries } from './record-verdict.tsx'
import { SealedCard } from './sealed-card.tsx'
import { VerdictCard } from './verdict-card.tsx'

type SeriesRow = TrackRecord['series'][number]

const SERIES_COLUMNS: readonly Column<SeriesRow>[] = [
  { id: 'series', head: 'Coin', cell: (row) => `${row.symbol} ${row.timeframe}`, keep: true },
  {
    id: 'accuracy',
    head: 'Right direction, 95% interval',
    cell: ({ scores }) => shareWords(scores.accuracy, scores.interval),
    figure: true,
    keep: true,
  },
  { id: 'outcomes', head: 'Judged', cell: ({ scores }) => formatCount(scores.outcomes), figure: true },
  {
    id: 'skill',
    head: 'Skill, 95% interval',
    cell: ({ scores }) => skillWords(scores.brierSkill, scores.brierSkillInterval),
    figure: true,
  },
  { id: 'span', head: 'Written down', cell: ({ span }) => spanWords(span), figure: true },
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
            rowName={(row) => `${row.symbol} ${row.timeframe}`}
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

/** Right directions and skill over time, with their intervals. */
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
        <SkillPlot
          label={`Live Brier skill over climatology by ${unit}`}
          xTitle={xTitle}
          columns={columns.map(({ name, brierSkill, brierSkillInterval }) => ({
            name,
            skill: brierSkill,
            interval: brierSkillInterval,
          }))}
        />
      </Card>
    </>
  )
}

import { Box, Typography } from '@mui/material'
import type { TrackRecord } from '@shapecast/contracts/track-record'
import type { ReactNode } from 'react'
import { CoveragePlot } from '../../charts/plots/coverage-plot.tsx'
import { ReliabilityPlot } from '../../charts/plots/reliability-plot.tsx'
import { shareWords, skillWords } from '../../shared/format/interval-words.ts'
import { formatCount, formatFixed, UNKNOWN } from '../../shared/format/number.ts'
import { formatInterval, formatShareRatio } from '../../shared/format/percent.ts'
import { sentence } from '../../shared/format/sentence.ts'
import { RECORD_TERMS } from '../../shared/models/terms.ts'
import { Card } from '../../shared/ui/card.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { Evidence, EvidenceRow } from '../../shared/ui/evidence.tsx'
import { Meanings } from '../../shared/ui/meanings.tsx'
import { twoCards } from '../../shared/ui/page-layout.ts'
import { CourseCards } from './course-cards.tsx'
import { SealedCard } from './sealed-card.tsx'
import { spanWords } from './span-words.ts'

type SeriesRow = TrackRecord['series'][number]

const SERIES_COLUMNS: readonly Column<SeriesRow>[] = [
  { id: 'series', head: 'Series', cell: (row) => `${row.symbol} ${row.timeframe}`, keep: true },
  { id: 'outcomes', head: 'Outcomes', cell: ({ scores }) => formatCount(scores.outcomes), figure: true },
  { id: 'span', head: 'Sealed', cell: ({ span }) => spanWords(span), figure: true },
  {
    id: 'accuracy',
    head: 'Accuracy, 95% interval',
    cell: ({ scores }) => shareWords(scores.accuracy, scores.interval),
    figure: true,
    keep: true,
  },
  { id: 'brier', head: 'Brier', cell: ({ scores }) => formatFixed(scores.brier, 4), figure: true },
  {
    id: 'skill',
    head: 'Brier skill',
    cell: ({ scores }) => skillWords(scores.brierSkill, scores.brierSkillInterval),
    figure: true,
  },
]

function Totals({ total, span }: Pick<TrackRecord, 'total' | 'span'>) {
  return (
    <EvidenceRow>
      <Evidence label="Live accuracy" value={formatShareRatio(total.accuracy)}>
        {total.interval === null ? 'nothing is scored yet' : formatInterval(total.interval)}
      </Evidence>
      <Evidence
        label="Simple rules"
        value={
          total.majorityBaseline === null
            ? UNKNOWN
            : `${formatShareRatio(total.majorityBaseline)}, ${formatShareRatio(total.reversalBaseline)}`
        }
      >
        always one way, always against the last candle
      </Evidence>
      <Evidence label="Brier score, less is better" value={formatFixed(total.brier, 4)}>
        {total.brierSkill === null
          ? 'once outcomes are known'
          : `climatology ${formatFixed(total.climatologyBrier, 4)} · skill ${skillWords(total.brierSkill, total.brierSkillInterval)}`}
      </Evidence>
      <Evidence label="Sealed" value={spanWords(span)}>
        {span !== null && `${formatCount(span.missed)} missed · `}
        {formatCount(total.outcomes)} judged, worth {formatCount(total.effectiveOutcomes)} independent ones
      </Evidence>
    </EvidenceRow>
  )
}

/** What a version's sealed predictions came to. */
export function RecordView({ record, nextSeal, drift }: { record: TrackRecord; nextSeal: string; drift: ReactNode }) {
  const { total, course, reliability, series } = record
  const widest = series
    .filter(({ coverage }) => coverage.length > 0)
    .toSorted((a, b) => b.scores.outcomes - a.scores.outcomes)[0]
  return (
    <>
      <Card title="Live record" facts="only forecasts that were written down before their outcome">
        <Typography sx={{ mb: 2, maxWidth: 760 }}>{sentence(total.verdict)}</Typography>
        <Totals total={total} span={record.span} />
        <Meanings terms={RECORD_TERMS} />
      </Card>
      {drift}
      {course.parts.length > 0 && (
        <Box sx={twoCards}>
          <CourseCards course={course} />
        </Box>
      )}
      {(reliability.length > 0 || widest !== undefined) && (
        <Box sx={twoCards}>
          {reliability.length > 0 && (
            <Card title="Calibration">
              <ReliabilityPlot label="Live forecasts against the observed share of rises" bins={reliability} />
            </Card>
          )}
          {widest !== undefined && (
            <Card title="Range, live" facts={`${widest.symbol} ${widest.timeframe}`}>
              <CoveragePlot
                label={`Share of live outcomes within the range on ${widest.symbol} ${widest.timeframe}`}
                points={widest.coverage}
              />
            </Card>
          )}
        </Box>
      )}
      {series.length > 0 && (
        <Card title="By series" flush>
          <DataTable
            label="By series"
            columns={SERIES_COLUMNS}
            rows={series}
            rowKey={(row) => `${row.symbol} ${row.timeframe}`}
            rowName={(row) => `${row.symbol} ${row.timeframe}`}
          />
        </Card>
      )}
      <SealedCard rows={record.newest} head={record.head} nextSeal={nextSeal} />
    </>
  )
}

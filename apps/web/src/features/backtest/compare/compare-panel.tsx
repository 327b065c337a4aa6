import { Box, Button, Typography } from '@mui/material'
import { type BacktestRun, backtestRun } from '@shapecast/contracts/backtest'
import type { CandleRow } from '@shapecast/contracts/market'
import { useQueries } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { EquityOverlay } from '#charts/equity-overlay.tsx'
import { formatCount, formatFixed, formatRatio, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateRange, formatDateTimeYear } from '#kit/format/time.ts'
import { chartColors, colors } from '#kit/theme/tokens.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { EmptyState } from '#kit/ui/empty-state.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { saveFile } from '#wire/calls/save-file.ts'
import { endpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { returnInterval } from '../results/uncertainty-words.ts'
import { useRunCandles } from '../results/use-run-candles.ts'
import { baseAt, type ComparedRun, comparedNames, compareRuns, HOLD_NAME, hasWinner, holding } from './compared-runs.ts'
import { comparisonCsv } from './comparison-csv.ts'
import { Differences, LinePattern, type Look, MonthsCard, NameCell, type NamedCourse } from './run-tables.tsx'

const LOOKS = [
  { color: colors.text, isDashed: false },
  { color: colors.sand, isDashed: false },
  { color: colors.accent, isDashed: true },
  { color: chartColors.emaSlow, isDashed: false },
  { color: colors.orange, isDashed: true },
] as const
/** Two to five runs over each other, ranked by what they returned where no model had seen the candles. */
export function ComparePanel({ runIds, onClear }: { runIds: readonly string[]; onClear: () => void }) {
  const { runs, failed, isPending } = useQueries({
    queries: runIds.map((id) => ({
      ...endpointQuery(backtestRun, { params: { id } }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: (replies) => ({
      runs: replies.flatMap((reply) => reply.data ?? []),
      failed: replies.find((reply) => reply.isError)?.error ?? null,
      isPending: replies.some((reply) => reply.isPending),
    }),
  })
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Typography variant="h1">{runIds.length < 2 ? 'Compare runs' : `${runIds.length} runs compared`}</Typography>
        {runs[0] !== undefined && <Chip label={`${runs[0].symbol} ${runs[0].timeframe}`} />}
        <Button variant="text" size="small" onClick={onClear} sx={{ ml: 'auto' }}>
          Clear
        </Button>
      </Box>
      {runIds.length < 2 ? (
        <Card title="Nothing to compare yet" flush>
          <EmptyState title="Tick two runs under Saved Runs">
            Those of one market and range can be laid over each other.
          </EmptyState>
        </Card>
      ) : failed !== null ? (
        <Banner kind="error" title="A run could not be loaded">
          {failed.message}
        </Banner>
      ) : isPending ? (
        <SkeletonGroup label="Loading the runs">
          <SkeletonBox height={360} />
        </SkeletonGroup>
      ) : (
        <Comparison runs={runs} />
      )}
    </>
  )
}

const HOLD_LOOK = { color: chartColors.lastCandle, isDashed: true } as const

function Comparison({ runs }: { runs: readonly BacktestRun[] }) {
  const first = runs[0]!
  const venue = useHealth().data?.venue
  const candles = useRunCandles(first, venue === first.venue && first.meta.candlesFrom === 'stored').data?.rows
  const rows = candles ?? NO_CANDLES
  const found = useMemo(() => compareRuns(runs, rows), [runs, rows])
  const courses = useMemo(() => coursesOf(runs, rows), [runs, rows])
  const lines = useMemo(() => overlayLines(courses, found?.from ?? 0), [courses, found])
  if (found === null)
    return (
      <Banner kind="warning" title="There is no part that none of the models has seen">
        Choose runs over later dates to compare them.
      </Banner>
    )
  const { ranked, hold, from, to } = found
  const saveCsv = () => {
    const name = `runs-${first.symbol}-${first.timeframe}.csv`
    saveFile({ name, content: new Blob([comparisonCsv(courses, from)], { type: 'text/csv' }) }, name)
  }
  return (
    <>
      {hasWinner(ranked) ? (
        <Banner kind="info" title={`${ranked[0]!.name} did best, beyond what chance explains`} />
      ) : (
        <Banner kind="warning" title="No winner yet">
          On the part that no model had seen, the runs cannot be told apart: their 95% intervals overlap, or hold 0.
        </Banner>
      )}
      <Card
        title="Equity"
        facts={`0% where the unseen part begins, ${formatDateTimeYear(from)}; paler before`}
        actions={
          <Button size="small" startIcon={<Download size={14} />} onClick={saveCsv}>
            CSV
          </Button>
        }
      >
        <EquityOverlay
          lines={lines}
          startMs={from}
          summary={ranked.map((one) => `${one.name} ${formatChangePct(one.returnPct)}`).join(', ')}
        />
        <Box component="ul" aria-label="Legend" sx={legendStyle}>
          {courses.map(({ key, name, look }) => (
            <Box component="li" key={key} sx={{ display: 'flex', alignItems: 'center', gap: 0.75 }}>
              <LinePattern look={look} />
              {name}
            </Box>
          ))}
        </Box>
      </Card>
      <Card title="Ranking" facts={`by unseen return after costs, ${formatDateRange(from, to)}`} flush>
        <DataTable
          label="Ranking"
          columns={rankingOf((row) => courses.find(({ key }) => key === keyOf(row.run))?.look)}
          rows={hold === null ? ranked : [...ranked, hold]}
          rowKey={(row) => keyOf(row.run)}
          rowName={(row) => row.name}
        />
      </Card>
      <Differences runs={runs} />
      <MonthsCard courses={courses} from={from} />
    </>
  )
}

const keyOf = (run: BacktestRun | null): string => run?._id ?? 'hold'
const NO_CANDLES: readonly CandleRow[] = []

const rankingOf = (lookOf: (row: ComparedRun) => Look | undefined): readonly Column<ComparedRun>[] => [
  {
    id: 'run',
    head: 'Run',
    keep: true,
    cell: (row) => <NameCell name={row.name} look={lookOf(row)} />,
  },
  {
    id: 'return',
    head: 'Unseen return',
    figure: true,
    keep: true,
    cell: ({ returnPct }) => <b style={{ fontWeight: 500 }}>{formatChangePct(returnPct)}</b>,
  },
  {
    id: 'interval',
    head: '95% interval',
    figure: true,
    quiet: true,
    cell: ({ intervals }) => returnInterval(intervals),
  },
  {
    id: 'drawdown',
    head: 'Max drawdown',
    figure: true,
    cell: ({ drawdownPct }) => `${formatFixed(-drawdownPct, 1)}%`,
  },
  {
    id: 'trades',
    head: 'Trades',
    figure: true,
    keep: true,
    cell: ({ run, trades }) => (run === null ? UNKNOWN : formatCount(trades)),
  },
  { id: 'pf', head: 'Profit factor', figure: true, cell: ({ profitFactor }) => formatRatio(profitFactor) },
]

/** The runs, and holding the coin where its candles are at hand. */
const coursesOf = (runs: readonly BacktestRun[], candles: readonly CandleRow[]): NamedCourse[] => [
  ...comparedNames(runs).map((name, i) => ({
    key: runs[i]!._id,
    name,
    course: runs[i]!,
    look: LOOKS[i % LOOKS.length]!,
  })),
  ...(candles.length === 0 ? [] : [{ key: keyOf(null), name: HOLD_NAME, course: holding(candles), look: HOLD_LOOK }]),
]

const overlayLines = (courses: readonly NamedCourse[], from: number) =>
  courses.map(({ name, course, look }) => {
    const base = baseAt(course, from)
    const points = course.equityCurve.map(({ t, equity }) => ({ t, pct: base === 0 ? 0 : 100 * (equity / base - 1) }))
    return { name, ...look, points }
  })

const legendStyle = {
  display: 'flex',
  flexWrap: 'wrap',
  columnGap: 2,
  rowGap: 0.5,
  m: 0,
  mt: 1,
  p: 0,
  listStyle: 'none',
  typography: 'label',
  fontWeight: 400,
  color: colors.text2,
} as const

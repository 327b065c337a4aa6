import {
  type ComparedRun,
  compareBacktestRuns,
  exportRunComparison,
  type RunComparison,
} from '@shapecast/contracts/run-comparison'
import { useMemo } from 'react'
import { EquityOverlay } from '#charts/equity-overlay.tsx'
import { COMPARED_LOOKS, LinePattern } from '#charts/legend-pattern.tsx'
import { formatCount, formatFixed, formatRatio, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatDateRange, formatDateTimeYear } from '#kit/format/time.ts'
import { chartColors } from '#kit/theme/tokens.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button } from '#kit/ui/button.tsx'
import { Card, EmptyState, SkeletonGroup } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { Note, Row, Text } from '#kit/ui/primitives.tsx'
import { file } from '#wire/calls/client.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { CsvButton } from '#wire/ui/csv-button.tsx'
import { returnInterval } from '../run-summary.ts'
import { useSavedRuns } from '../use-saved-runs.ts'
import { comparedNames, Differences, MonthsCard, NameCell, type NamedCurve } from './run-tables.tsx'

/** Two to five runs over each other, ranked by what they returned where no model had seen the candles. */
export function ComparePanel({ runIds, onClear }: { runIds: readonly string[]; onClear: () => void }) {
  const { data, error, isPending } = useEndpointQuery(
    compareBacktestRuns,
    { query: { ids: runIds.join(',') } },
    { enabled: runIds.length > 1, staleTime: Number.POSITIVE_INFINITY },
  )
  const saved = useSavedRuns().runs.data
  const first = data?.runs[0] ?? saved?.find(({ _id }) => _id === runIds[0])
  return (
    <>
      <Row gap={1} wrap>
        <Text size="h1">{runIds.length < 2 ? 'Compare runs' : `${runIds.length} runs compared`}</Text>
        {first !== undefined && <Chip label={`${first.symbol} ${first.timeframe}`} />}
        <Button variant="text" size="small" onClick={onClear} style={{ marginLeft: 'auto' }}>
          Clear
        </Button>
      </Row>
      {runIds.length < 2 ? (
        <Card title="Nothing to compare yet" flush>
          <EmptyState title="Tick two runs under Saved Runs">
            Those of one market and range can be laid over each other.
          </EmptyState>
        </Card>
      ) : error !== null ? (
        <Banner kind="error" title="A run could not be loaded">
          {error.message}
        </Banner>
      ) : isPending ? (
        <SkeletonGroup label="Loading the runs" height={360} />
      ) : (
        <Comparison found={data} />
      )}
    </>
  )
}

const HOLD_LOOK = { color: chartColors.lastCandle, isDashed: true } as const
const HOLD_NAME = 'Buy and hold'

function Comparison({ found }: { found: RunComparison }) {
  const curves = useMemo(() => curvesOf(found), [found])
  const lines = useMemo(
    () => curves.map(({ name, look, points }) => ({ name, ...look, points: points.map(([t, pct]) => ({ t, pct })) })),
    [curves],
  )
  const { runs, stretch, verdict, ranking, hold } = found
  if (stretch === null)
    return (
      <Banner kind="warning" title="There is no part that none of the models has seen">
        Choose runs over later dates to compare them.
      </Banner>
    )
  const { from, to } = stretch
  const curveOf = (row: ComparedRun) => curves.find(({ runId }) => runId === row.runId)!
  const nameOf = (row: ComparedRun) => curveOf(row).name
  return (
    <>
      {verdict === 'winner' ? (
        <Banner kind="info" title={`${nameOf(ranking[0]!)} did best, beyond what chance explains`} />
      ) : (
        <Banner kind="warning" title="No winner yet">
          On the part that no model had seen, the runs cannot be told apart: their 95% intervals overlap, or hold 0.
        </Banner>
      )}
      <Card
        title="Equity"
        facts={`0% where the unseen part begins, ${formatDateTimeYear(from)}; paler before`}
        actions={
          <CsvButton
            of="curves"
            fetchFile={() => file(exportRunComparison, { query: { ids: runs.map(({ _id }) => _id).join(',') } })}
            fallbackName="runs.csv"
          />
        }
      >
        <EquityOverlay
          lines={lines}
          startMs={from}
          summary={ranking.map((one) => `${nameOf(one)} ${formatChangePct(one.returnPct)}`).join(', ')}
        />
        <Row as="ul" gap={2} lineGap={0.5} wrap above={1} aria-label="Legend" className={layout.list}>
          {curves.map(({ runId, name, look }) => (
            <Row as="li" gap={0.75} key={runId}>
              <LinePattern look={look} />
              <Note as="span" tone="text2">
                {name}
              </Note>
            </Row>
          ))}
        </Row>
      </Card>
      <Card title="Ranking" facts={`by unseen return after costs, ${formatDateRange(from, to)}`} flush>
        <DataTable
          label="Ranking"
          columns={rankingOf(curveOf)}
          rows={hold === null ? ranking : [...ranking, hold]}
          rowKey={(row) => row.runId ?? HOLD_NAME}
          rowName={nameOf}
        />
      </Card>
      <Differences runs={runs} />
      <MonthsCard months={found.months} curves={curves} from={from} />
    </>
  )
}

const rankingOf = (curveOf: (row: ComparedRun) => NamedCurve): readonly Column<ComparedRun>[] => [
  { head: 'Run', keep: true, cell: (row) => <NameCell {...curveOf(row)} /> },
  {
    head: 'Unseen return',
    figure: true,
    keep: true,
    cell: ({ returnPct }) => <b style={{ fontWeight: 500 }}>{formatChangePct(returnPct)}</b>,
  },
  { head: '95% interval', figure: true, quiet: true, cell: ({ intervals }) => returnInterval(intervals ?? undefined) },
  { head: 'Max drawdown', figure: true, cell: ({ maxDrawdownPct }) => `${formatFixed(-maxDrawdownPct, 1)}%` },
  {
    head: 'Trades',
    figure: true,
    keep: true,
    cell: ({ runId, trades }) => (runId === null ? UNKNOWN : formatCount(trades)),
  },
  { head: 'Profit factor', figure: true, cell: ({ profitFactor }) => formatRatio(profitFactor) },
]

function curvesOf({ runs, curves }: RunComparison): NamedCurve[] {
  const names = comparedNames(runs)
  return curves.map((curve, i) =>
    curve.runId === null
      ? { ...curve, name: HOLD_NAME, look: HOLD_LOOK }
      : { ...curve, name: names[i]!, look: COMPARED_LOOKS[i % COMPARED_LOOKS.length]! },
  )
}

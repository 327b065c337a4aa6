import { Box, Button, Typography } from '@mui/material'
import { type BacktestRun, backtestRun } from '@shapecast/contracts/backtest'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { EquityOverlay } from '../../../charts/equity-overlay.tsx'
import { endpointQuery } from '../../../shared/api/use-endpoint.ts'
import { formatCount, formatFixed, formatRatio, formatSigned, UNKNOWN } from '../../../shared/format/number.ts'
import { formatChangePct } from '../../../shared/format/percent.ts'
import { formatDateRange, formatDateTimeYear } from '../../../shared/format/time.ts'
import { runName } from '../../../shared/runs/run-name.ts'
import { chartColors, colors } from '../../../shared/theme/tokens.ts'
import { Banner } from '../../../shared/ui/banner.tsx'
import { Card } from '../../../shared/ui/card.tsx'
import { Chip } from '../../../shared/ui/chip.tsx'
import { type Column, DataTable } from '../../../shared/ui/data-table.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { SkeletonBox, SkeletonGroup } from '../../../shared/ui/skeleton.tsx'
import { type ComparedRun, compareRuns, hasWinner, settingRows } from './compared-runs.ts'

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

function Comparison({ runs }: { runs: readonly BacktestRun[] }) {
  const found = useMemo(() => compareRuns(runs), [runs])
  const lines = useMemo(() => overlayLines(runs, found?.from ?? 0), [runs, found])
  if (found === null)
    return (
      <Banner kind="warning" title="There is no part that none of the models has seen">
        Choose runs over later dates to compare them.
      </Banner>
    )
  const { ranked, from, to } = found
  return (
    <>
      {hasWinner(ranked) ? (
        <Banner kind="info" title={`${runName(ranked[0]!.run)} did best, beyond what chance explains`} />
      ) : (
        <Banner kind="warning" title="No winner yet">
          On the part that no model had seen, the runs cannot be told apart: their 95% intervals overlap, or hold 0.
        </Banner>
      )}
      <Card title="Equity" facts={`0% where the unseen part begins, ${formatDateTimeYear(from)}; paler before`}>
        <EquityOverlay
          lines={lines}
          startMs={from}
          summary={ranked.map((one) => `${runName(one.run)} ${formatChangePct(one.returnPct)}`).join(', ')}
        />
        <Box component="ul" aria-label="Legend" sx={legendStyle}>
          {lines.map(({ name, color, isDashed }, i) => (
            <Box component="li" key={runs[i]!._id} sx={{ display: 'flex', alignItems: 'center', gap: 0.75 }}>
              <Box aria-hidden sx={{ width: 18, borderTop: `2px ${isDashed ? 'dashed' : 'solid'} ${color}` }} />
              {name}
            </Box>
          ))}
        </Box>
      </Card>
      <Card title="Ranking" facts={`by unseen return after costs, ${formatDateRange(from, to)}`} flush>
        <DataTable
          label="Ranking"
          columns={RANKING}
          rows={ranked}
          rowKey={(row) => row.run._id}
          rowName={(row) => runName(row.run)}
        />
      </Card>
      <Differences runs={runs} />
    </>
  )
}

const RANKING: readonly Column<ComparedRun>[] = [
  { id: 'run', head: 'Run', keep: true, cell: ({ run }) => runName(run) },
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
    cell: ({ interval }) =>
      interval === null ? UNKNOWN : `${formatSigned(interval[0], 1)} to ${formatSigned(interval[1], 1)}%`,
  },
  {
    id: 'drawdown',
    head: 'Max drawdown',
    figure: true,
    cell: ({ drawdownPct }) => `${formatFixed(-drawdownPct, 1)}%`,
  },
  { id: 'trades', head: 'Trades', figure: true, keep: true, cell: ({ trades }) => formatCount(trades) },
  { id: 'pf', head: 'Profit factor', figure: true, cell: ({ profitFactor }) => formatRatio(profitFactor) },
]

/** What the runs were set to: what differs first, then in one line what is the same. */
function Differences({ runs }: { runs: readonly BacktestRun[] }) {
  const rows = settingRows(runs)
  const differing = rows.filter(({ differs }) => differs)
  const same = rows.filter(({ differs }) => !differs)
  return (
    <Card title="What differs" flush>
      {differing.length > 0 && (
        <DataTable
          label="What differs"
          columns={[
            { id: 'label', head: 'Setting', keep: true, quiet: true, cell: ({ label }) => label },
            ...runs.map((run, i) => ({
              id: run._id,
              head: runName(run),
              cell: ({ values }: (typeof differing)[number]) => values[i],
            })),
          ]}
          rows={differing}
          rowKey={({ label }) => label}
          rowName={({ label }) => label}
        />
      )}
      <Typography variant="small" sx={{ px: 2, py: 1.5, color: colors.text2 }}>
        The same: {same.map(({ label, values }) => `${label.toLowerCase()} ${values[0]}`).join(', ')}.
      </Typography>
    </Card>
  )
}

function overlayLines(runs: readonly BacktestRun[], from: number) {
  return runs.map((run, i) => {
    const base = run.equityCurve.findLast(({ t }) => t < from)?.equity ?? run.initialBalance
    return {
      name: runName(run),
      ...LOOKS[i % LOOKS.length]!,
      points: run.equityCurve.map(({ t, equity }) => ({ t, pct: base === 0 ? 0 : 100 * (equity / base - 1) })),
    }
  })
}

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

import { Box } from '@mui/material'
import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import { elsewhere } from '#entities/markets/elsewhere.ts'
import { ChangeChip } from '#entities/markets/trading-chips.tsx'
import { judgedWords } from '#entities/runs/judged-return.ts'
import { runName } from '#entities/runs/run-name.ts'
import { paths } from '#routes/paths.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { LinkedList, type LinkedRow } from './linked-list.tsx'
import { useRecentRuns } from './use-recent-runs.ts'

const SHOWN = 6

/** The return of the run; where a model had seen some of the range, that of the unseen part beside it. */
function rowOf(run: BacktestRunSummary, running: string | undefined): LinkedRow {
  const { judged } = run
  const isPart = run.seenRatio > 0 && run.unseen !== undefined
  return {
    id: run._id,
    to: paths.run(run._id),
    title: runName(run),
    facts: [run.symbol, run.timeframe, elsewhere(run, running)].filter(Boolean).join(' · '),
    chip: (
      <Box sx={{ display: 'flex', gap: 0.5 }}>
        {isPart && (
          <Box sx={{ display: 'flex' }} title={judgedWords(judged)}>
            <ChangeChip pct={judged.returnPct} of="unseen" />
          </Box>
        )}
        <Box sx={{ display: 'flex' }} title="Return of the whole range">
          <ChangeChip pct={run.totalReturnPct} />
        </Box>
      </Box>
    ),
  }
}

/** The newest backtests, with what each returned. */
export function RecentRunsCard() {
  const reply = useRecentRuns()
  const running = useHealth().data?.venue
  // What cannot be loaded counts as nothing.
  const list = reply.data ?? (reply.isFetched ? [] : undefined)
  return (
    <LinkedList
      title="Recent Backtests"
      allTo={paths.backtest}
      rows={list?.slice(0, SHOWN).map((run) => rowOf(run, running))}
      empty="No backtests found"
      emptyHint="The last six runs stand here."
    />
  )
}

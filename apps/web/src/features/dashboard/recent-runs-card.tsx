import { runName } from '../../shared/runs/run-name.ts'
import { ChangeChip } from '../../shared/ui/trading-chips.tsx'
import { LinkedList } from './linked-list.tsx'
import { useRecentRuns } from './use-recent-runs.ts'

const SHOWN = 6

/** The newest backtests, with what each returned. */
export function RecentRunsCard() {
  const reply = useRecentRuns()
  // What cannot be loaded counts as nothing.
  const list = reply.data ?? (reply.isFetched ? [] : undefined)
  return (
    <LinkedList
      title="Recent Backtests"
      allTo="/backtest"
      rows={list?.slice(0, SHOWN).map((run) => ({
        id: run._id,
        to: `/backtest?run=${run._id}`,
        title: runName(run),
        facts: `${run.symbol} · ${run.timeframe}`,
        chip: <ChangeChip pct={run.totalReturnPct} />,
      }))}
      empty="No backtests found"
      emptyHint="The last six runs stand here."
    />
  )
}

import type { BacktestRun, BacktestRunSummary } from '@shapecast/contracts/backtest'
import type { JudgedReturn, RunVerdict } from '@shapecast/contracts/backtest-results'
import { MOST_ASSUMED } from '../models/funding.ts'

type Judged = {
  seen: Pick<BacktestRun['seen'], 'unseen'>
  meta: Pick<BacktestRun['meta'], 'haltedAt' | 'fundingAssumed'>
}

/** What the part that no model of a run has seen says, or null. */
export function runVerdict({ seen: { unseen }, meta: { haltedAt, fundingAssumed = 0 } }: Judged): RunVerdict | null {
  if (unseen === null) return null
  if (haltedAt !== null && haltedAt < unseen.from) return 'halted_before'
  if (fundingAssumed > MOST_ASSUMED) return 'funding_unknown'
  return unseen.intervals?.verdict ?? 'no_intervals'
}

/** The return to judge a run by: that of the unseen part; of runs from before it was kept the whole range. */
export function judgedReturn({
  unseen,
  totalReturnPct,
}: Pick<BacktestRunSummary, 'unseen' | 'totalReturnPct'>): JudgedReturn {
  if (unseen === undefined) return { by: 'whole_range', returnPct: totalReturnPct }
  if (unseen === null) return { by: 'all_seen', returnPct: null }
  const { trades, totalReturnPct: returnPct } = unseen.metrics
  // A run that ended before, by its drawdown limit say, would lead all that have lost something.
  return trades === 0 && returnPct === 0 ? { by: 'not_traded', returnPct: null } : { by: 'unseen', returnPct }
}

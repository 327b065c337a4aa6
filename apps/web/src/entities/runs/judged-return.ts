import type { BacktestRunSummary } from '@shapecast/contracts/backtest'

/** The return to judge a run by, in percent: that of the unseen part; of older runs the whole range. */
export function judgedReturn(run: Pick<BacktestRunSummary, 'unseen' | 'totalReturnPct'>): {
  pct: number | null
  words: string
} {
  if (run.unseen === undefined) return { pct: run.totalReturnPct, words: 'Return of the whole range' }
  if (run.unseen === null) return { pct: null, words: 'The model had seen all of this range: nothing to judge by' }
  const { trades, totalReturnPct } = run.unseen.metrics
  // A run that ended before, by its drawdown limit say, would lead all that have lost something.
  if (trades === 0 && totalReturnPct === 0)
    return { pct: null, words: 'Nothing was traded in the unseen part: nothing to judge by' }
  return { pct: totalReturnPct, words: 'Return of the unseen part' }
}

import type { BacktestRunSummary } from '@shapecast/contracts/backtest'

/** The return to judge a run by, in percent: that of the unseen part; of older runs the whole range. */
export function judgedReturn(run: Pick<BacktestRunSummary, 'unseen' | 'totalReturnPct'>): {
  pct: number | null
  words: string
} {
  if (run.unseen === undefined) return { pct: run.totalReturnPct, words: 'Return of the whole range' }
  if (run.unseen === null) return { pct: null, words: 'The model had seen all of this range: nothing to judge by' }
  return { pct: run.unseen.metrics.totalReturnPct, words: 'Return of the unseen part' }
}

import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { RunPeriod } from '@shapecast/contracts/backtest-results'
import type { Candles } from '@shapecast/engine/candles'
import { curveOfRun, type EquityCurve, periodsOf } from '@shapecast/engine/run-periods'
import { runVerdict } from '@shapecast/engine/verdicts/run-verdict'
import type { SeriesMarket } from '../market/series-market.ts'
import { heldCandles } from './held-candles.ts'

type Judged = Pick<BacktestRun, 'verdict' | 'periods'>
type Facts = Pick<BacktestRun, 'seen'> & {
  readonly meta: Pick<BacktestRun['meta'], 'haltedAt' | 'fundingAssumed'>
  readonly trades: readonly Pick<BacktestRun['trades'][number], 'entryTime' | 'fees'>[]
}

/** What is said of a run, and its months and weeks beside holding the coin over `candles`. */
export function judgedRun({ seen, meta, trades }: Facts, curve: EquityCurve, candles: Candles | null): Judged {
  const by = (kind: 'months' | 'weeks'): RunPeriod[] => periodsOf(curve, trades, seen, candles, kind)
  return { verdict: runVerdict({ seen, meta }), periods: { months: by('months'), weeks: by('weeks') } }
}

/** No text within a run has these characters: it would escape the quotes. */
const JUDGED = '"periods":'

/** The JSON text of a stored run; of one from before runs were judged as they were saved, with what is said of it added. */
export async function withJudgement(text: string, market: SeriesMarket): Promise<string> {
  if (text.includes(JUDGED)) return text
  const run: BacktestRun = JSON.parse(text)
  // Of several pairs the candles of one are no yardstick.
  const candles = run.symbols === undefined ? await heldCandles(market, run) : null
  return JSON.stringify({ ...run, ...judgedRun(run, curveOfRun(run), candles) })
}

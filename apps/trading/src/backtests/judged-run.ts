import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { RunPeriod } from '@shapecast/contracts/backtest-results'
import { orElse } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS, TIMEFRAMES } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { curveOfRun, type EquityCurve, periodsOf } from '@shapecast/engine/run-periods'
import { runVerdict } from '@shapecast/engine/verdicts/run-verdict'
import type { SeriesMarket } from '../market/series-market.ts'

/** Eleven years of hours: a longer run is held against coarser candles. */
const MOST_HELD = 100_000

/** The candles of a saved run, to hold its coin beside it; null where they are not those of this market, or gone. */
export async function heldCandles(
  market: SeriesMarket,
  { venue, symbol, timeframe, startTime, endTime, meta }: BacktestRun,
): Promise<Candles | null> {
  if (venue !== market.venue || meta.candlesFrom !== 'stored') return null
  const finest = TIMEFRAMES.indexOf(timeframe)
  const fits = TIMEFRAMES.slice(finest).find((one) => (endTime - startTime) / TIMEFRAME_MS[one] < MOST_HELD) ?? '1d'
  // The candle in which it begins may have opened before.
  const range = { fromMs: startTime - TIMEFRAME_MS[fits] + 1, toMs: endTime }
  const candles = await market.load(symbol, fits, range).catch(orElse(null, 'unknown_symbol'))
  return candles === null || candles.length === 0 ? null : candles
}

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

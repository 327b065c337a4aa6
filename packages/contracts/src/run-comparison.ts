import { z } from 'zod'
import { type BacktestRunSummary, FILE_FORMATS, BacktestRunSummary as RunSummary } from './backtest.ts'
import { RunIntervals } from './backtest-results.ts'
import { fileOf, tradingEndpoint } from './endpoint.ts'
import { Trials } from './trials.ts'
import { epochMs, pct } from './units.ts'

export const MOST_COMPARED_RUNS = 5

type Comparable = Pick<BacktestRunSummary, 'venue' | 'symbol' | 'timeframe' | 'startTime' | 'endTime'>

/**
 * Why two runs cannot be laid over each other; null where they can: runs of one market and timeframe, whose ranges share half
 * of the shorter one at least.
 */
export function whyNotComparable(a: Comparable, b: Comparable): 'other_market' | 'other_range' | null {
  if (a.venue !== b.venue || a.symbol !== b.symbol || a.timeframe !== b.timeframe) return 'other_market'
  const common = Math.min(a.endTime, b.endTime) - Math.max(a.startTime, b.startTime)
  return common >= Math.min(a.endTime - a.startTime, b.endTime - b.startTime) / 2 ? null : 'other_range'
}

/** A run, or holding the coin, on the stretch that no model of any of the runs has seen. */
export const ComparedRun = z.object({
  /** Null: holding the coin. */
  runId: z.uuid().nullable(),
  /** Percent, after costs. */
  returnPct: pct(),
  /** Percent, 0 or positive. */
  maxDrawdownPct: pct(),
  /** Trades entered in the stretch. */
  trades: z.number().int(),
  /** Null where nothing was lost. */
  profitFactor: z.number().nullable(),
  /** Of a run whose own unseen part is this stretch. */
  intervals: RunIntervals.nullable(),
})
export type ComparedRun = z.infer<typeof ComparedRun>

/** Figures and when which verdict holds: docs/backtest.md. */
export const RunComparison = z.object({
  /** In the order in which they were named. */
  runs: z.array(RunSummary),
  /** By the users of the runs together, on their series; left out where all are from the command line. */
  trials: Trials.optional(),
  /** `winner`: the first of the ranking is better by more than chance. `nothing_unseen`: there is no stretch to judge by. */
  verdict: z.enum(['winner', 'no_winner', 'nothing_unseen']),
  /** Open times of the first and last candle that all runs have and no model of any of them has seen, ms. */
  stretch: z.object({ from: epochMs(), to: epochMs() }).nullable(),
  /** The best return on the stretch first, what did nothing last. */
  ranking: z.array(ComparedRun),
  /** The yardstick; null where the candles are not at hand. */
  hold: ComparedRun.nullable(),
  /** Months of the range that all have, UTC; the one in which the stretch begins is split there. */
  months: z.array(
    z.object({
      /** Open time of the first candle, ms. */
      from: epochMs(),
      isSeen: z.boolean(),
    }),
  ),
  /** The runs in their order, then holding the coin. */
  curves: z.array(
    z.object({
      runId: z.uuid().nullable(),
      /** Open times (ms) with the percent gained since the stretch began. */
      points: z.array(z.tuple([z.number(), z.number()])),
      /** Percent, month by month; null where it has no candle of a month. */
      monthsPct: z.array(z.number().nullable()),
    }),
  ),
})
export type RunComparison = z.infer<typeof RunComparison>

const RunIds = z
  .string('Name the runs to compare')
  .transform((text) => text.split(',').filter((id) => id !== ''))
  .pipe(
    z
      .array(z.uuid('ids is a comma list of run ids'))
      .min(2, 'Name at least 2 runs')
      .max(MOST_COMPARED_RUNS, `Name at most ${MOST_COMPARED_RUNS} runs`)
      .refine((ids) => new Set(ids).size === ids.length, 'Name each run once'),
  )

export const compareBacktestRuns = tradingEndpoint('GET /api/backtest/compare', {
  publicPath: '/public/backtest/compare',
  summary:
    '2–5 saved runs of one market, ranked on the stretch that none of their models has seen, beside buy and hold.',
  query: z.object({ ids: RunIds }),
  reply: RunComparison,
  errors: ['not_found', 'unprocessable'],
})

export const exportRunComparison = tradingEndpoint('GET /api/backtest/compare/export', {
  publicPath: '/public/backtest/compare/export',
  summary:
    'The curves of compared runs, in percent since the unseen stretch began, as a CSV or Parquet file. Times are UTC.',
  query: z.object({ ids: RunIds, format: z.enum(FILE_FORMATS).default('csv') }),
  ...fileOf('application/octet-stream'),
  errors: ['not_found', 'unprocessable'],
})

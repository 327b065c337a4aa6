import { z } from 'zod'
import { BacktestRun } from './backtest.ts'
import { TestedFields } from './backtest-request.ts'
import { Metrics, RandomEntries, RunIntervals } from './backtest-results.ts'
import { tradingEndpoint } from './endpoint.ts'
import { Interval } from './evaluation.ts'
import { LabJob, labFile } from './lab-job.ts'
import { SymbolId } from './market.ts'
import { Timeframe } from './timeframes.ts'
import { LAB_CANDLES } from './trials.ts'
import { epochMs, pct } from './units.ts'

export const MOST_BATCH_CELLS = 100

export const BatchRequest = TestedFields.extend({
  symbols: z.array(SymbolId).min(1, 'Choose at least one symbol').max(50, 'Choose at most 50 symbols'),
  timeframes: z.array(Timeframe).min(1, 'Choose at least one timeframe'),
  /** Of each series, the newest so many candles. */
  limit: z.number().int().min(200).max(100_000).default(LAB_CANDLES),
  /** The last part of the candles, which a batch does not see. */
  keptPct: pct().min(0).max(50).default(20),
}).superRefine((r, ctx) => {
  const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
  for (const name of ['symbols', 'timeframes'] as const)
    if (new Set<string>(r[name]).size < r[name].length) refuse(name, `Give each of the ${name} once`)
  if (r.symbols.length * r.timeframes.length > MOST_BATCH_CELLS)
    refuse('symbols', `Symbols times timeframes must be at most ${MOST_BATCH_CELLS}`)
  if (r.mode === 'bot' && r.botId === undefined) refuse('botId', 'Choose the bot to test')
  if (r.mode === 'model' && r.mlModelVersion === undefined) refuse('mlModelVersion', 'Choose the model to test')
  if (r.mode === 'rule' && r.rule === undefined) refuse('rule', 'Write the rule to test')
})
export type BatchRequest = z.infer<typeof BatchRequest>
export type BatchRequestInput = z.input<typeof BatchRequest>

export const BatchCell = z.object({
  symbol: SymbolId,
  timeframe: Timeframe,
  /** Why it was not run, and a sentence; null where it was. */
  missing: z.object({ code: z.string(), text: z.string() }).nullable(),
  /** Null where it was not run. */
  run: z
    .object({
      /** Of the saved run. */
      id: z.uuid(),
      /** Open times of the first and the last candle, ms. */
      from: epochMs(),
      to: epochMs(),
      candles: z.number().int(),
      metrics: Metrics.pick({
        trades: true,
        sharpeLike: true,
        totalReturnPct: true,
        maxDrawdownPct: true,
        buyAndHoldReturnPct: true,
      }),
      sharpeOverHolding: BacktestRun.shape.sharpeOverHolding,
      intervals: RunIntervals.pick({ sharpe: true, totalReturnPct: true, verdict: true }),
      /** Of a rule, beside random entries. */
      entries: RandomEntries.pick({ code: true, p: true }).nullable(),
    })
    .nullable(),
})
export type BatchCell = z.infer<typeof BatchCell>

/** Whether the best of the runs, over holding as much, is more than the best of as many tries without skill. */
export const BatchVerdict = z.object({
  /** `too_few`: none has a Sharpe ratio over holding. */
  code: z.enum(['too_few', 'what_luck_gives', 'better_than_luck']),
  /** Runs that have a ratio, and those whose return is above 0 beyond chance, each by itself. */
  runs: z.number().int(),
  clear: z.number().int(),
  /** Its place among the cells; null of too few. */
  best: z.number().int().nullable(),
  /** Sharpe ratio over holding that the best of as many tries without skill is expected to show on as many days, a year. */
  luckSharpe: z.number().nullable(),
  /** Probability that such a best does as well. */
  p: z.number().nullable(),
})
export type BatchVerdict = z.infer<typeof BatchVerdict>

/** What money did over some days; the Sharpe ratio and its 95 % interval are a year's. */
const DayFigures = z.object({
  totalReturnPct: pct(),
  sharpe: z.number().nullable(),
  interval: Interval.nullable(),
  maxDrawdownPct: pct(),
  volatilityPct: pct(),
})

/** The runs of one timeframe as one, each scaled to the same volatility, beside their coins in equal parts: docs/backtest.md. */
export const EqualRisk = z.object({
  timeframe: Timeframe,
  /** Runs that it is of. */
  runs: z.number().int(),
  days: z.number().int(),
  figures: DayFigures,
  holdFigures: DayFigures,
  /** Percent over the beginning, at daily closes (ms). */
  curves: z.object({ t: z.array(z.number()), own: z.array(z.number()), hold: z.array(z.number()) }),
})
export type EqualRisk = z.infer<typeof EqualRisk>

export const BatchSummary = LabJob.extend({ request: BatchRequest })
export type BatchSummary = z.infer<typeof BatchSummary>

export const Batch = BatchSummary.extend({
  result: z
    .object({
      /** Symbol by symbol, each with its timeframes. */
      cells: z.array(BatchCell),
      verdict: BatchVerdict,
      /** By timeframe, of those with two runs or more on the same days; missing in old batches. */
      equalRisk: z.array(EqualRisk).optional(),
      /** Tries of its user on all of its series together, this batch included. */
      tries: z.number().int(),
    })
    .nullable(),
})
export type Batch = z.infer<typeof Batch>
export type BatchResult = NonNullable<Batch['result']>

export const batches = tradingEndpoint('GET /api/batches', {
  summary: "The caller's batches, the newest first (an admin sees everybody's).",
  query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
  reply: z.array(BatchSummary),
})

export const batch = tradingEndpoint('GET /api/batches/:id', {
  summary: 'One batch: how far it is and, once completed, its runs. Its own user or an admin.',
  reply: Batch,
})

export const createBatch = tradingEndpoint('POST /api/batches', {
  summary:
    'Queue the same strategy on several symbols and timeframes: each run is saved and counts as a try on its series. Series without candles are named in the result.',
  access: 'manager',
  touches: [batches],
  body: BatchRequest,
  reply: z.object({ id: z.uuid() }),
  errors: ['not_found', 'too_many_requests'],
})

export const exportBatch = labFile('/api/batches/:id/export', 'The runs of a completed batch')

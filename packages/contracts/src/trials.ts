import { z } from 'zod'

/**
 * Newest candles that previews of rules, searches and batches take unless they are told otherwise. All keep the same last part
 * unseen: with ranges of different lengths one would open what another keeps.
 */
export const LAB_CANDLES = 20_000

/** What counts as a try: a backtest, the preview of a changed rule, a point of a search, a training. */
export const TrialKind = z.enum(['backtest', 'preview', 'search', 'training'])
export type TrialKind = z.infer<typeof TrialKind>

/**
 * How much was tried on a series (market, coin, timeframe) by those whose results are shown, over all of its ranges: the
 * best of many looks good by luck alone. Deleting a run takes nothing off.
 */
export const Trials = z.object({
  count: z.number().int(),
  byKind: z.partialRecord(TrialKind, z.number().int()),
})
export type Trials = z.infer<typeof Trials>

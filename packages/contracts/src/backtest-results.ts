import { z } from 'zod'
import { Interval } from './evaluation.ts'
import { SymbolId } from './market.ts'
import { epochMs, pct, quote } from './units.ts'

export const TradeSide = z.enum(['long', 'short'])
export const ExitReason = z.enum([
  'signal',
  'reversal',
  'take_profit',
  'stop_loss',
  'trailing_stop',
  'time',
  'liquidation',
  'max_drawdown',
  'rebalance',
  'stopped',
  /** A person closed the position of a bot, which goes on. */
  'closed_by_hand',
  /** A person had a bot brought to its targets. */
  'rebalanced_by_hand',
  /** It was not among the most traded any more and had no candles: sold at its last price. */
  'no_candles',
])
export const Trade = z.object({
  side: TradeSide,
  entryTime: epochMs(),
  exitTime: epochMs(),
  entryPrice: z.number(),
  exitPrice: z.number(),
  quantity: z.number(),
  netPnL: quote(),
  fees: quote(),
  funding: quote(),
  exitReason: ExitReason,
  /** Of a run over several pairs. */
  symbol: SymbolId.optional(),
})
export type Trade = z.infer<typeof Trade>

/** Definitions, formulas and sources: docs/backtest.md. */
export const Metrics = z.object({
  trades: z.number().int(),
  /** Percent of the trades with a positive net PnL; null without trades. */
  winRate: pct().nullable(),
  /** Sum of winning net PnL over the sum of losing net PnL, in money; null without a losing trade. */
  profitFactor: z.number().nullable(),
  /** Largest fall from a peak of the equity, percent, 0 or positive. */
  maxDrawdownPct: pct(),
  sharpeLike: z.number().nullable(),
  avgTradePnL: quote().nullable(),
  totalReturnPct: pct(),
  /** Costs told apart, in quote: gross − fees − slippage + funding = net. */
  grossPnL: quote(),
  fees: quote(),
  slippageCost: quote(),
  funding: quote(),
  netPnL: quote(),
  buyAndHoldReturnPct: pct(),
})
export type Metrics = z.infer<typeof Metrics>

/**
 * How far figures of the same range may lie from the true ones by chance: 95 % intervals, null where there is none. Formulas:
 * docs/backtest.md.
 */
export const RunIntervals = z.object({
  /** What was drawn again: closed trades, or of a policy that holds a share its daily returns. */
  unit: z.enum(['trade', 'day']),
  units: z.number().int(),
  wins: z.number().int(),
  losses: z.number().int(),
  /** How much each resembles the one before, −1 to 1; null where they do not vary. */
  autocorrelation: z.number().nullable(),
  /** Autocorrelated by more than 0.4: the truth lies outside more often than it says. */
  isTooNarrow: z.boolean(),
  /** Percent, after costs. */
  totalReturnPct: Interval.nullable(),
  /** None of a policy that holds a share. */
  profitFactor: Interval.nullable(),
  /** Yearly, by trade or by day: another figure than `sharpeLike`, which is by candle. */
  sharpe: z.object({ value: z.number(), interval: Interval }).nullable(),
  /**
   * What the return says. No interval: `too_few` for ten blocks (30), `too_few_wins_or_losses` (five of each are needed), or
   * `unsteady`, where too many draws have no figure or nothing was left. Else by its ends: `lost_beyond_chance` (at most 0),
   * `gained_beyond_chance` (above 0), `may_be_luck`.
   */
  verdict: z.enum([
    'too_few',
    'too_few_wins_or_losses',
    'unsteady',
    'may_be_luck',
    'lost_beyond_chance',
    'gained_beyond_chance',
  ]),
})
export type RunIntervals = z.infer<typeof RunIntervals>

/** Metrics of a part of the range by itself. */
export const RangePart = z.object({
  from: epochMs(),
  to: epochMs(),
  candles: z.number().int(),
  metrics: Metrics,
  /** Left out of runs from before they were worked out this way. */
  intervals: RunIntervals.optional(),
})

export type RangePart = z.infer<typeof RangePart>

/**
 * What the part to judge by says: the verdict of its intervals, or `halted_before` where the drawdown limit had ended the run
 * before it began, or `no_intervals` of a run from before they were worked out as they are now.
 */
export const RunVerdict = z.enum([
  ...RunIntervals.shape.verdict.options,
  'halted_before',
  'no_intervals',
  'funding_unknown',
])
export type RunVerdict = z.infer<typeof RunVerdict>

/**
 * The return to judge a run by, percent: of the unseen part, of older runs of the whole range. Null where the models had seen
 * all of it (`all_seen`) or nothing was traded in the unseen part (`not_traded`).
 */
export const JudgedReturn = z.object({
  by: z.enum(['unseen', 'whole_range', 'all_seen', 'not_traded']),
  returnPct: pct().nullable(),
})
export type JudgedReturn = z.infer<typeof JudgedReturn>

/** A month or week (from Monday) of a run, UTC; one that holds the border of the unseen part is split there. */
export const RunPeriod = z.object({
  /** Open times of its first and last candle, ms. */
  from: epochMs(),
  to: epochMs(),
  /** Whether it begins in the part that a model of the run had seen. */
  isSeen: z.boolean(),
  /** Percent, after costs. */
  returnPct: pct(),
  /** Buy and hold, percent, without costs; null where the candles are not at hand. */
  holdPct: pct().nullable(),
  /** Percent, 0 or positive. */
  maxDrawdownPct: pct(),
  /** Trades entered in it. */
  trades: z.number().int(),
  /** Of those trades, quote. */
  fees: quote(),
})
export type RunPeriod = z.infer<typeof RunPeriod>

/**
 * The trades of a rule beside entries at random, on the same sides and held as long: whether its timing is worth
 * anything. Definition: docs/backtest.md.
 */
export const RandomEntries = z.object({
  /** `too_few_trades`: fewer than 30. `cannot_tell`: no better than random as far as these trades can say. */
  code: z.enum(['too_few_trades', 'better_than_random', 'cannot_tell']),
  /** Closed trades; where a model was asked that has seen a part of the range, those of the unseen part. */
  trades: z.number().int(),
  isUnseenPart: z.boolean(),
  /** Share of draws, its own included, that did as well, 0–1; null of too few trades. */
  p: z.number().nullable(),
  /** The trades one after the other with all the money, percent. */
  netReturnPct: pct(),
  /** How many draws came to what, in bins of equal width from the lowest to the highest; null of too few trades. */
  random: z.object({ fromPct: pct(), toPct: pct(), counts: z.array(z.number().int()) }).nullable(),
})
export type RandomEntries = z.infer<typeof RandomEntries>

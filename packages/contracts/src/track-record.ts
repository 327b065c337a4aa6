import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { Interval, NaiveRule } from './evaluation.ts'
import { SymbolId } from './market.ts'
import { ModelStage, ModelVersion } from './ml.ts'
import { FanCoverage, Prediction } from './predictions.ts'
import { Timeframe } from './timeframes.ts'
import { epochMs, ratio } from './units.ts'

/** Outcomes below which nobody can tell skill from luck. */
export const FEWEST_OUTCOMES = 30

/**
 * What live forecasts say of a version's direction, against guessing and the better naive rule. By the ends of the interval:
 * `better_than_guessing` lies above 50 % and above the rule, `no_better_than_rule` above 50 % only, `worse_than_guessing` below
 * 50 %; `too_few` is below `FEWEST_OUTCOMES`.
 */
export const LiveVerdict = z.object({
  code: z.enum([
    'not_judged',
    'too_few',
    'better_than_guessing',
    'worse_than_guessing',
    'no_better_than_rule',
    'may_be_luck',
  ]),
  /** Forecasts after which the price moved, and those of them that had the right direction. */
  forecasts: z.number().int(),
  right: z.number().int(),
  rule: NaiveRule,
  /** What that rule got right, 0 to 1; null before the first outcome. */
  ruleRatio: ratio().nullable(),
})
export type LiveVerdict = z.infer<typeof LiveVerdict>

/** What sealed predictions came to, once their outcomes were known. Null where nothing is scored yet. */
export const LiveScores = z.object({
  sealed: z.number().int(),
  outcomes: z.number().int(),
  flatOutcomes: z.number().int(),
  effectiveOutcomes: z.number(),
  accuracy: z.number().nullable(),
  interval: Interval.nullable(),
  majorityBaseline: z.number().nullable(),
  reversalBaseline: z.number().nullable(),
  brier: z.number().nullable(),
  climatologyBrier: z.number().nullable(),
  /** 1 − Brier score over climatology's: above 0 it knows something. With its 95 % interval. */
  brierSkill: z.number().nullable(),
  brierSkillInterval: Interval.nullable(),
  /** In words: better than, worse than or indistinguishable from knowing nothing. */
  verdict: z.string(),
  direction: LiveVerdict,
})
export type LiveScores = z.infer<typeof LiveScores>

/** Sealed calls of BUY and SELL that were expected to gain more than a round trip costs, and their results. */
export const WorthCalls = z.object({
  /** Those with an outcome. */
  made: z.number().int(),
  /** Those after which the price moved their way by more than the costs. */
  paid: z.number().int(),
  /** Of the share that paid, 0 to 1; null without calls. */
  interval: Interval.nullable(),
})
export type WorthCalls = z.infer<typeof WorthCalls>

/**
 * The candles that a record could hold: those of its series from the first that was sealed to the newest, or to the last that
 * can no longer be sealed where the version seals still. `missed` of them were not sealed: it was too late, nothing ran, or
 * the version was archived meanwhile. Null where the candles cannot be read at the moment.
 */
export const SealedSpan = z.object({ candles: z.number().int(), missed: z.number().int() })
export type SealedSpan = z.infer<typeof SealedSpan>

/** Where the chain of sealed predictions stands: keep it, and a shortened or rewritten record shows. */
export const ChainHead = z.object({ rows: z.number().int(), hash: z.string() })
export type ChainHead = z.infer<typeof ChainHead>

export const SealedPrediction = Prediction.extend({
  seq: z.number().int(),
  symbol: SymbolId,
  timeframe: Timeframe,
  madeAt: epochMs(),
  /** Calibrated probability that the close is higher at the signal horizon. */
  pUp: z.number(),
  horizon: z.number().int(),
  previousHash: z.string(),
  rowHash: z.string(),
  /** Null until the outcome is known. `correct` is null where the price did not move. */
  outcome: z.object({ price: z.number(), correct: z.boolean().nullable(), scoredAt: epochMs() }).nullable(),
})
export type SealedPrediction = z.infer<typeof SealedPrediction>

export const TrackRecord = z.object({
  version: ModelVersion,
  stage: ModelStage,
  /** All series together, then one by one. */
  total: LiveScores,
  span: SealedSpan.nullable(),
  series: z.array(
    z.object({
      symbol: SymbolId,
      timeframe: Timeframe,
      scores: LiveScores,
      span: SealedSpan.nullable(),
      coverage: z.array(FanCoverage),
      worthCalls: WorthCalls,
    }),
  ),
  /** By month of the candle, UTC: accuracy and Brier score over time. */
  months: z.array(
    z.object({
      month: z.string(),
      outcomes: z.number().int(),
      accuracy: z.number().nullable(),
      interval: Interval.nullable(),
      brier: z.number().nullable(),
    }),
  ),
  /**
   * The same over time in about 8 to 30 parts, so that a young record has a course too: days, weeks from Monday, or
   * months of the candle, UTC.
   */
  course: z.object({
    unit: z.enum(['day', 'week', 'month']),
    parts: z.array(
      z.object({
        /** Beginning of the part, ms. */
        from: epochMs(),
        outcomes: z.number().int(),
        accuracy: z.number().nullable(),
        interval: Interval.nullable(),
        brier: z.number().nullable(),
        brierSkill: z.number().nullable(),
        brierSkillInterval: Interval.nullable(),
      }),
    ),
  }),
  /** Reliability over five bins of equal count, fewer if there are fewer outcomes. */
  reliability: z.array(
    z.object({ predicted: z.number(), observed: z.number(), outcomes: z.number().int(), band: Interval }),
  ),
  newest: z.array(SealedPrediction),
  head: ChainHead,
})
export type TrackRecord = z.infer<typeof TrackRecord>

export const trackRecord = tradingEndpoint('GET /api/ml/track-record/:version', {
  publicPath: '/public/ml/track-record/:version',
  summary: "A version's sealed predictions and their results: live rows only, never backfilled ones.",
  params: z.object({ version: ModelVersion }),
  query: z.object({
    symbol: SymbolId.optional(),
    timeframe: Timeframe.optional(),
    limit: z.coerce.number().int().min(1).max(1000).default(100),
  }),
  reply: TrackRecord,
  errors: ['not_found'],
})

export const leaderboard = tradingEndpoint('GET /api/ml/leaderboard', {
  publicPath: '/public/ml/leaderboard',
  summary: 'Versions by live skill over climatology: the lower end of its interval decides, so luck ranks below skill.',
  query: z.object({ symbol: SymbolId.optional(), timeframe: Timeframe.optional() }),
  reply: z.object({
    entries: z.array(
      z.object({ version: ModelVersion, stage: ModelStage, scores: LiveScores, span: SealedSpan.nullable() }),
    ),
    head: ChainHead,
  }),
})

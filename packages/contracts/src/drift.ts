import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { ModelStage, ModelVersion } from './ml.ts'
import { Timeframe } from './timeframes.ts'
import { epochMs } from './units.ts'

/** An e-value from here on speaks: without anything wrong it is ever reached with a probability of 1 in 20. */
export const DRIFT_EVIDENCE = 20

/**
 * What the live score says of a model. `unknown`: no outcome is known yet. `suspect`: worse than on its hold-out.
 * `worse`: worse than knowing nothing.
 */
export const DriftDecision = z.enum(['unknown', 'holds', 'suspect', 'worse'])
export type DriftDecision = z.infer<typeof DriftDecision>

const Spread = z.object({
  median: z.number(),
  /** Low and high end of the middle 90 %. */
  low: z.number(),
  high: z.number(),
  min: z.number(),
  max: z.number(),
})

/** One input of a model now against what it was trained on. */
export const FeatureShift = z.object({
  name: z.string(),
  label: z.string(),
  /** Population stability index. */
  index: z.number(),
  /** What 95 % of equally long stretches of training stay at or below against the rest of it. */
  chanceBand: z.number(),
  /** Above 0.1 and above the band. */
  shifted: z.boolean(),
  was: Spread,
  now: Spread,
  /** Share of the candles now that lie outside the smallest and largest value of training. */
  outside: z.number(),
  /** What changed, with numbers. */
  words: z.string(),
})
export type FeatureShift = z.infer<typeof FeatureShift>

export const FeatureDrift = z.object({
  /** Candles compared, and open times in ms of the first and the last. */
  candles: z.number().int(),
  from: epochMs(),
  to: epochMs(),
  trainedCandles: z.number().int(),
  trainedFrom: z.number(),
  trainedTo: z.number(),
  /** By index, the largest first. What a clock says (hour, weekday) is left out. */
  features: z.array(FeatureShift),
  shifted: z.number().int(),
  /** The most that have shifted at once in any equally long stretch of training. */
  shiftedByChance: z.number().int(),
  /** More than that, or one by more than three times its bounds, or one mostly to where training has shown nothing. */
  drifts: z.boolean(),
})
export type FeatureDrift = z.infer<typeof FeatureDrift>

/**
 * The claim that its Brier score is higher than it may be, tested after every outcome: than the hold-out allows or, where
 * that is lower or no hold-out can be trusted, than that of knowing nothing.
 */
export const DriftTest = z.object({
  against: z.enum(['holdout', 'climatology']),
  outcomes: z.number().int(),
  /** The e-value now and at its largest: how much the evidence has multiplied a stake on the claim. Cut at 10¹². */
  e: z.number(),
  largestE: z.number(),
  /** Open time in ms of the candle whose outcome brought the e-value to 20. */
  crossedAt: epochMs().nullable(),
  /** Mean Brier score live, and what it is held against; null without outcomes. */
  mean: z.number().nullable(),
  bar: z.number().nullable(),
  /** Open time of the candle and e-value, thinned so that its shape is kept. */
  path: z.array(z.object({ ts: epochMs(), e: z.number() })),
})
export type DriftTest = z.infer<typeof DriftTest>

export const SeriesDrift = z.object({
  artifactId: z.uuid(),
  hash: z.string(),
  symbol: SymbolId,
  timeframe: Timeframe,
  decision: DriftDecision,
  /** In one sentence. */
  verdict: z.string(),
  /** Null where it is not known; `featuresNote` says why. */
  features: FeatureDrift.nullable(),
  featuresNote: z.string().nullable(),
  /** Null where its card is of a kind that is not known here. */
  test: DriftTest.nullable(),
})
export type SeriesDrift = z.infer<typeof SeriesDrift>

export const ModelDrift = z.object({ version: ModelVersion, stage: ModelStage, series: z.array(SeriesDrift) })
export type ModelDrift = z.infer<typeof ModelDrift>

export const modelDrift = tradingEndpoint('GET /api/ml/drift/:version', {
  publicPath: '/public/ml/drift/:version',
  summary:
    'Whether the market has left what a version was trained on (features, by stability index) and whether its live score holds (a test that may be looked at after every outcome), for each artifact that predicts.',
  params: z.object({ version: ModelVersion }),
  query: z.object({ symbol: SymbolId.optional(), timeframe: Timeframe.optional() }),
  reply: ModelDrift,
  errors: ['not_found'],
})

export const driftStates = tradingEndpoint('GET /api/ml/drift', {
  publicPath: '/public/ml/drift',
  summary:
    'What the live scores and the features said when they were last looked at, of each artifact that predicts; for lists.',
  reply: z.array(
    z.object({
      version: ModelVersion,
      symbol: SymbolId,
      timeframe: Timeframe,
      decision: DriftDecision,
      /** Open time in ms of the candle since when that is shown; null where nothing is. */
      since: epochMs().nullable(),
      /** Whether its features drift; null where that is not known. */
      featuresDrift: z.boolean().nullable(),
    }),
  ),
})

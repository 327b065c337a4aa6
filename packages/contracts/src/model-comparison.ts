import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { Interval, PairedTest } from './evaluation.ts'
import { SymbolId } from './market.ts'
import { ModelStage, ModelVersion } from './ml.ts'
import { Timeframe } from './timeframes.ts'
import { bps, epochMs } from './units.ts'

/** A version's figures on candles that none of the compared ones had learnt from. */
export const ComparedModel = z.object({
  version: ModelVersion,
  artifactId: z.uuid(),
  hash: z.string(),
  stage: ModelStage,
  /** Of the outcomes that rose or fell; null where none did. */
  accuracy: z.number().nullable(),
  accuracyInterval: Interval.nullable(),
  brier: z.number(),
  logLoss: z.number(),
  /** Mean over horizons and quantiles of the pinball loss of log returns, in bps. */
  pinballBps: bps(),
  coverage90: z.array(z.object({ horizon: z.number().int(), coverage: z.number(), interval: Interval })),
  /** Signals given on those candles. */
  signals: z.object({ buy: z.number().int(), sell: z.number().int(), hold: z.number().int() }),
})
export type ComparedModel = z.infer<typeof ComparedModel>

export const ModelComparison = z.object({
  symbol: SymbolId,
  timeframe: Timeframe,
  horizon: z.number().int(),
  from: epochMs(),
  to: epochMs(),
  outcomes: z.number().int(),
  effectiveOutcomes: z.number(),
  models: z.array(ComparedModel),
  /** Their accuracies; null where no outcome rose or fell. */
  baselines: z.object({ majority: z.number().nullable(), reversal: z.number().nullable() }),
  pairs: z.array(
    z.object({
      a: ModelVersion,
      b: ModelVersion,
      logLoss: PairedTest,
      pinball: PairedTest,
      /** Of the errors P(up) − outcome; 1 is the same errors, and no gain from an ensemble. */
      errorCorrelation: z.number(),
    }),
  ),
  /** All compared versions voting together under each rule, at its default thresholds. */
  ensembles: z.array(
    z.object({
      strategy: z.string(),
      /** Candles on which it called a direction, and the share of those it called right (null without any). */
      calls: z.number().int(),
      accuracy: z.number().nullable(),
      interval: Interval.nullable(),
      /** Of the single version that is right most often on its own calls. */
      bestSingle: z.number().nullable(),
    }),
  ),
})
export type ModelComparison = z.infer<typeof ModelComparison>

export const compareModels = tradingEndpoint('POST /api/ml/compare', {
  summary: '2–5 versions on the same candles that none of them has learnt from, with paired tests.',
  touches: [],
  body: z.object({
    versions: z
      .array(ModelVersion)
      .min(2, 'Choose at least 2 versions')
      .max(5, 'Choose at most 5 versions')
      .refine((versions) => new Set(versions).size === versions.length, 'Name each version once'),
    symbol: SymbolId,
    timeframe: Timeframe.default('1h'),
  }),
  reply: ModelComparison,
  errors: ['unknown_symbol', 'not_found', 'model_not_trained', 'too_few_candles', 'unprocessable'],
})

import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { ModelVersion } from './ml.ts'
import { Timeframe } from './timeframes.ts'
import { epochMs } from './units.ts'

/** What becomes of a newer model that is better beyond chance: it is offered, or predicts from then on. */
export const RETRAIN_MODES = ['offer', 'take'] as const

export const RetrainingDraft = z
  .object({
    version: ModelVersion,
    symbol: SymbolId,
    timeframe: Timeframe,
    /** Days of the market between two trainings; null for none by the calendar. */
    everyDays: z
      .number('must be a whole number of days')
      .int('must be a whole number of days')
      .min(1, 'must be at least 1')
      .max(365, 'must be at most 365')
      .nullable(),
    /** Also once the live score of the model is found worse, once a model. */
    onDrift: z.boolean(),
    mode: z.enum(RETRAIN_MODES),
  })
  .refine(({ everyDays, onDrift }) => everyDays !== null || onDrift, {
    path: ['everyDays'],
    message: 'must be set, or drift chosen',
  })
export type RetrainingDraft = z.infer<typeof RetrainingDraft>

const Retraining = z.object({
  ...RetrainingDraft.shape,
  id: z.uuid(),
  /** Who set it: each training counts as a trial of theirs. */
  userId: z.uuid(),
  /** Time of the market, ms: of the last training that was asked for, and when the next is due by the calendar. */
  lastAt: epochMs().nullable(),
  nextAt: epochMs().nullable(),
  /** The job of the last training. */
  jobId: z.uuid().nullable(),
  /** Why the last attempt asked for nothing. */
  error: z.string().nullable(),
})
export type Retraining = z.infer<typeof Retraining>

export const retrainings = tradingEndpoint('GET /api/ml/retraining', {
  summary: 'Which models are trained again by themselves, when, and what becomes of a better one.',
  query: z.object({ version: ModelVersion.optional() }),
  reply: z.array(Retraining),
})

export const setRetraining = tradingEndpoint('POST /api/ml/retraining', {
  summary:
    'Have a model trained again on its newest candles, with its settings and as many candles: every so many days, or once its live score is found worse. Managers, and the owner of a version that is not in production.',
  touches: [retrainings],
  body: RetrainingDraft,
  reply: Retraining,
  errors: ['not_found', 'forbidden', 'model_not_trained', 'unprocessable'],
})

export const endRetraining = tradingEndpoint('DELETE /api/ml/retraining/:id', {
  summary: 'Train a model no more by itself. What is being trained goes on.',
  touches: [retrainings],
  errors: ['not_found', 'forbidden'],
})

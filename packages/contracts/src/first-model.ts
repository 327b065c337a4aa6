import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { SymbolId } from './market.ts'
import { ModelVersion } from './ml.ts'
import { Timeframe } from './timeframes.ts'
import { TrainingProgress } from './trainings.ts'

export const FirstModel = z.object({
  /**
   * `waiting` for candles, `training` (queued or running), `failed` with the reason in `error`, or `done`: something is
   * trained, or people train something else themselves.
   */
  state: z.enum(['waiting', 'training', 'failed', 'done']),
  version: ModelVersion,
  symbol: SymbolId,
  timeframe: Timeframe,
  /** The fewest candles of the series that it can be trained on. */
  candlesNeeded: z.number().int(),
  /** Whether as many are stored: while it waits it is then asked for within half a minute. */
  candlesReady: z.boolean(),
  /** Null unless it is being trained. */
  progress: TrainingProgress.nullable(),
  error: z.string().nullable(),
})
export type FirstModel = z.infer<typeof FirstModel>

export const firstModel = tradingEndpoint('GET /api/ml/first-model', {
  publicPath: '/public/ml/first-model',
  summary: 'How far the model is that a new installation trains by itself.',
  reply: FirstModel,
})

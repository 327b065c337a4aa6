import { Timeframe } from '@shapecast/contracts/timeframes'
import { type TrainingProgress, TrainParams } from '@shapecast/contracts/trainings'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { askedKind } from '../ground/jobs/asked-kind.ts'
import type { JobOf } from '../ground/jobs/kind.ts'
import type { Series } from './artifact-rows.ts'
import { checkpoints } from './tables.ts'

/** Which candles (open times, both ends included) and which settings: fixed when asked, so a retry trains the same. */
const TrainingRequest = z.object({
  version: z.string(),
  venue: z.string(),
  symbol: z.string(),
  timeframe: Timeframe,
  fromMs: z.number(),
  toMs: z.number(),
  params: TrainParams,
  /** Whether a manager asked for it, or the installation itself. */
  byManager: z.boolean(),
  /** Whether what is trained only waits to be promoted. */
  isOffer: z.boolean().optional(),
  /** The range as it was asked for, which another candle does not change; missing in old ones. */
  asked: z
    .object({ fromMs: z.number().optional(), toMs: z.number().optional(), limit: z.number().optional() })
    .optional(),
})
export type TrainingRequest = z.infer<typeof TrainingRequest>
export type Shown = z.infer<typeof TrainingProgress>
/** `seconds`: how long it took where it was not interrupted. */
export type TrainingResult = { artifactId: string; seconds?: number }
export type Training = JobOf<typeof TRAINING>

export const NOT_STARTED: Shown = {
  current: 0,
  total: 1,
  phase: 'queued',
  epoch: null,
  trainLoss: null,
  validationLoss: null,
  secondsLeft: null,
}

/** A version trains on a series once at a time. */
export const keyOfTraining = ({ version, venue, symbol, timeframe }: Series & { version: string }): string =>
  `${version} ${venue} ${symbol} ${timeframe}`

export const titleOf = ({ version, symbol, timeframe }: TrainingRequest): string =>
  `${version} on ${symbol} ${timeframe}`

/** Nobody asked for the first model. */
export const TRAINING = askedKind<TrainingRequest, TrainingResult, Shown>({
  name: 'training',
  payload: TrainingRequest,
  start: NOT_STARTED,
  words: ['training', 'trainings'],
  limit: { most: 20, retryAfterS: 60 },
  async ended(tx, { id }) {
    await tx.delete(checkpoints).where(eq(checkpoints.trainingId, id))
  },
  news: {
    what: ({ payload }) => titleOf(payload),
    ends: { done: 'is trained', failed: 'could not be trained' },
    done: () => 'Its page says how good it is, and whether it predicts now.',
    link: ({ error, payload: { version } }) =>
      error === null ? `/ml-analysis/models/${encodeURIComponent(version)}` : '/ml-analysis',
  },
})

import { Timeframe } from '@shapecast/contracts/timeframes'
import { type TrainingProgress, TrainParams } from '@shapecast/contracts/trainings'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Job, kindOf } from '../ground/jobs/kind.ts'
import { type JobNews, notifyAskers } from '../ground/jobs/notify-askers.ts'
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
export type Training = Job<TrainingRequest, Shown, TrainingResult>

export const NOT_STARTED: Shown = {
  current: 0,
  total: 1,
  phase: 'queued',
  epoch: null,
  trainLoss: null,
  validationLoss: null,
  secondsLeft: null,
}

const MOST_OPEN_OF_A_USER = 20

/** A version trains on a series once at a time. */
export const keyOfTraining = ({ version, venue, symbol, timeframe }: Series & { version: string }): string =>
  `${version} ${venue} ${symbol} ${timeframe}`

export const titleOf = ({ version, symbol, timeframe }: TrainingRequest): string =>
  `${version} on ${symbol} ${timeframe}`

export const TRAINING = kindOf<TrainingResult>()({
  name: 'training',
  payload: TrainingRequest,
  start: NOT_STARTED,
  visibility: 'askers',
  limit: {
    most: MOST_OPEN_OF_A_USER,
    error: `You have ${MOST_OPEN_OF_A_USER} trainings waiting or running. Wait for one to end, or cancel one.`,
    retryAfterS: 60,
  },
  unknown: 'This training does not exist, or somebody else asked for it.',
  givenUp: 'The training was interrupted more than once and given up. Start it again.',
  async ended(tx, training, nowMs) {
    await tx.delete(checkpoints).where(eq(checkpoints.trainingId, training.id))
    await notifyAskers(tx, training, newsOf, nowMs)
  },
})

/** That a training is done, or why it failed; nobody asked for the first model. */
function newsOf(training: Training): JobNews {
  const { version } = training.payload
  const what = titleOf(training.payload)
  return training.error === null
    ? {
        title: `${what} is trained`,
        text: 'Its page says how good it is, and whether it predicts now.',
        link: `/ml-analysis/models/${encodeURIComponent(version)}`,
      }
    : { title: `${what} could not be trained`, text: training.error, link: '/ml-analysis' }
}

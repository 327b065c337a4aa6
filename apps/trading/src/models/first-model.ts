import { orElse } from '@shapecast/contracts/errors'
import type { FirstModel } from '@shapecast/contracts/first-model'
import { candlesNeeded } from '@shapecast/ml/recipe/settings'
import type { Orm } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { newestJob } from '../ground/jobs/job-rows.ts'
import type { CandleSource } from '../market/series-market.ts'
import type { ModelStore } from './model-store.ts'
import { keyOfTraining, TRAINING } from './training-kind.ts'
import { anyTraining } from './training-reads.ts'
import type { TrainingService } from './training-service.ts'
import { DEFAULT_VERSION } from './versions.ts'

const FIRST = { version: DEFAULT_VERSION, symbol: 'BTCUSDT', timeframe: '1h', params: {} } as const
/** Not an error here: the candles may still come, or somebody was quicker. */
const expected = orElse(null, 'no_candles', 'too_few_candles', 'unknown_symbol', 'venue_unreachable', 'conflict')

/**
 * Where nobody has trained anything on this venue yet, asks for v3 on BTCUSDT 1h as soon as there are candles enough.
 * Answers whether there is nothing left to wait for.
 */
export async function requestFirstModel(
  orm: Orm,
  models: ModelStore,
  service: TrainingService,
  log: Logger,
): Promise<boolean> {
  if (await isAnyTrained(models)) return true
  if (await anyTraining(orm, { venue: models.venue })) return true
  const id = await service.request(FIRST, null).catch(expected)
  if (id !== null) log.info({ training: id }, 'training the first model, v3 on BTCUSDT 1h')
  return id !== null
}

/** An upload alone keeps nobody from a model of their own. */
const isAnyTrained = async (models: ModelStore): Promise<boolean> =>
  (await models.list()).some(({ artifacts }) => artifacts.some(({ origin }) => origin === 'trained'))

/** How far the first model is, for everybody: its training belongs to nobody. */
export async function firstModelState(orm: Orm, models: ModelStore, candles: CandleSource): Promise<FirstModel> {
  const { venue } = models
  const { version, symbol, timeframe, params } = FIRST
  const needed = candlesNeeded(params)
  const series = { version, symbol, timeframe, candlesNeeded: needed }
  const plain = { ...series, candlesReady: true, progress: null, error: null }
  if (await isAnyTrained(models)) return { ...plain, state: 'done' }
  const row = await newestJob(orm, TRAINING, keyOfTraining({ venue, ...FIRST }))
  switch (row?.status) {
    case 'queued':
    case 'running':
      return { ...plain, state: 'training', progress: row.progress }
    case 'failed':
    case 'cancelled':
      return { ...plain, state: 'failed', error: row.error ?? 'It was cancelled.' }
    default: {
      if (await anyTraining(orm, { venue })) return { ...plain, state: 'done' }
      const stored = await candles.load(symbol, timeframe, { limit: needed }).catch(() => null)
      return { ...plain, state: 'waiting', candlesReady: stored !== null && stored.ts.length >= needed }
    }
  }
}

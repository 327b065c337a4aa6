import { openModel } from '@shapecast/ml/open-model'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import type { Queue } from '@shapecast/platform/queue'
import type { ImportanceRunDeps } from './features/importance/importance-run.ts'
import { createImportanceService } from './features/importance/importance-service.ts'
import { createImportanceStore } from './features/importance/importance-store.ts'
import { measureArtifact } from './features/importance/measure-artifact.ts'
import { createCheckpointStore } from './features/ml/checkpoint-store.ts'
import { judgeArtifact } from './features/ml/judge-artifact.ts'
import { createModelService } from './features/ml/model-service.ts'
import { createModelStore } from './features/ml/model-store.ts'
import { createPredictors } from './features/ml/predictors.ts'
import type { SeriesCandles } from './features/ml/series-candles.ts'
import { ROUND_TRIP_COST_BPS } from './features/ml/train-artifact.ts'
import { createTrainingService } from './features/ml/training-service.ts'
import { createTrainingStore } from './features/ml/training-store.ts'

export interface ModelRoomDeps {
  db: Database
  queue: Queue
  market: SeriesCandles
  log: Logger
  now(): number
}

/** The models: training, judging, measuring and lending them. */
export function createModelRooms({ db, queue, market, log, now }: ModelRoomDeps) {
  const modelStore = createModelStore(db.orm, market.venue)
  const predictors = createPredictors(modelStore)
  const judging = { store: modelStore, predictors, candles: market }
  const models = createModelService({ db, ...judging, now })
  const trainingStore = createTrainingStore(db.orm)
  const checkpoints = createCheckpointStore(db.orm)
  const trainings = createTrainingService({ db, store: trainingStore, candles: market, queue, now })
  const importanceStore = createImportanceStore(db.orm)
  const importanceRun: ImportanceRunDeps = {
    store: importanceStore,
    artifacts: modelStore,
    measure: measureArtifact.bind(null, {
      candles: market,
      open: (packed) => openModel(packed, { roundTripCostBps: ROUND_TRIP_COST_BPS }),
    }),
    log,
    now,
  }
  return {
    modelStore,
    models,
    predictors,
    trainingStore,
    trainings,
    checkpoints,
    importanceRun,
    importances: createImportanceService({ db, store: importanceStore, artifacts: modelStore, queue, now }),
    judge: judgeArtifact.bind(null, judging),
  }
}
export type ModelRooms = ReturnType<typeof createModelRooms>

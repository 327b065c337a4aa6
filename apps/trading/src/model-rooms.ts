import { openModel } from '@shapecast/ml/open-model'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import type { Queue } from '@shapecast/platform/queue'
import type { SeriesMarket } from './market/series-market.ts'
import { createCheckpointStore } from './models/checkpoint-store.ts'
import type { ImportanceRunDeps } from './models/importance/importance-run.ts'
import { createImportanceService } from './models/importance/importance-service.ts'
import { createImportanceStore } from './models/importance/importance-store.ts'
import { measureArtifact } from './models/importance/measure-artifact.ts'
import { judgeArtifact } from './models/judge-artifact.ts'
import { createModelService } from './models/model-service.ts'
import { createModelStore } from './models/model-store.ts'
import { createPredictors } from './models/predictors.ts'
import type { Traders } from './models/traders.ts'
import { ROUND_TRIP_COST_BPS } from './models/train-artifact.ts'
import { createTrainingService } from './models/training-service.ts'
import { createTrainingStore } from './models/training-store.ts'

export interface ModelRoomDeps {
  db: Database
  queue: Queue
  market: SeriesMarket
  traders: Traders
  log: Logger
  now(): number
}

/** The models: training, judging, measuring and lending them. */
export function createModelRooms({ db, queue, market, traders, log, now }: ModelRoomDeps) {
  const modelStore = createModelStore(db.orm, market.venue)
  const predictors = createPredictors(modelStore)
  const judging = { store: modelStore, predictors, candles: market }
  const models = createModelService({ db, ...judging, traders, now })
  const trainingStore = createTrainingStore(db.orm, traders)
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

import { openModel } from '@shapecast/ml/open-model'
import { createCheckpointStore } from '../models/checkpoint-store.ts'
import { createImportanceService } from '../models/importance/importance-service.ts'
import { measureArtifact } from '../models/importance/measure-artifact.ts'
import { judgeArtifact } from '../models/judge-artifact.ts'
import { createModelService } from '../models/model-service.ts'
import { createModelStore } from '../models/model-store.ts'
import { createPredictors } from '../models/predictors.ts'
import { ROUND_TRIP_COST_BPS, trainArtifact } from '../models/train-artifact.ts'
import { trainingWork } from '../models/training-run.ts'
import { createTrainingService } from '../models/training-service.ts'
import type { Ground } from './ground.ts'

export const modelsOf = ({ db, jobs, market, traders, log, now }: Ground) => {
  const modelStore = createModelStore(db.orm, market.venue)
  const predictors = createPredictors(modelStore, market)
  const judging = { store: modelStore, predictors, candles: market }
  const judge = judgeArtifact.bind(null, judging)
  return {
    modelStore,
    predictors,
    models: createModelService({ db, ...judging, traders, now }),
    trainings: createTrainingService({ db, jobs, candles: market }),
    training: trainingWork({
      checkpoints: createCheckpointStore(db.orm),
      candles: market,
      train: trainArtifact,
      judge,
      traders,
      log,
      now,
    }),
    importances: createImportanceService({ db, jobs, artifacts: modelStore }),
    measuring: {
      artifacts: modelStore,
      measure: measureArtifact.bind(null, {
        candles: market,
        open: (packed) => openModel(packed, { roundTripCostBps: ROUND_TRIP_COST_BPS }),
      }),
    },
    judge,
  }
}
export type Models = ReturnType<typeof modelsOf>

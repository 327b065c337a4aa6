import { createCheckpointStore } from '../models/checkpoint-store.ts'
import { createImportanceService } from '../models/importance/importance-service.ts'
import { measureArtifact } from '../models/importance/measure-artifact.ts'
import { judgeArtifact } from '../models/judge-artifact.ts'
import { createModelService } from '../models/model-service.ts'
import { createModelStore } from '../models/model-store.ts'
import { createPredictors } from '../models/predictors.ts'
import { trainArtifact } from '../models/train-artifact.ts'
import { trainingWork } from '../models/training-run.ts'
import { createTrainingService } from '../models/training-service.ts'
import type { Ground } from './ground.ts'

export const modelsOf = (ground: Ground) => {
  const { db, market } = ground
  const modelStore = createModelStore(db.orm, market.venue)
  const predictors = createPredictors(modelStore, market)
  const judging = { store: modelStore, predictors, candles: market }
  const judge = judgeArtifact.bind(null, judging)
  return {
    modelStore,
    predictors,
    models: createModelService({ ...ground, ...judging }),
    trainings: createTrainingService({ ...ground, candles: market }),
    training: trainingWork({
      ...ground,
      checkpoints: createCheckpointStore(db.orm),
      candles: market,
      train: trainArtifact,
      judge,
    }),
    importances: createImportanceService({ ...ground, artifacts: modelStore }),
    measuring: {
      artifacts: modelStore,
      measure: measureArtifact.bind(null, market),
    },
    judge,
  }
}
export type Models = ReturnType<typeof modelsOf>

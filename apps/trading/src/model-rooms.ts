import { permutationImportance } from '@shapecast/ml/evaluate/importance'
import { openModel } from '@shapecast/ml/open-model'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import type { Queue } from '@shapecast/platform/queue'
import { createExaminationDesk } from './features/examinations/examination-desk.ts'
import { createExaminationStore } from './features/examinations/examination-store.ts'
import { auditArtifact, examineArtifact } from './features/examinations/examine-artifact.ts'
import { createCheckpointStore } from './features/ml/checkpoint-store.ts'
import { judgeCandidate } from './features/ml/judge-candidate.ts'
import { createModelDesk } from './features/ml/model-desk.ts'
import { createModelStore } from './features/ml/model-store.ts'
import { createPredictors } from './features/ml/predictors.ts'
import type { SeriesCandles } from './features/ml/series-candles.ts'
import { ROUND_TRIP_COST_BPS } from './features/ml/train-artifact.ts'
import { createTrainingDesk } from './features/ml/training-desk.ts'
import { createTrainingStore } from './features/ml/training-store.ts'
import { UPLOAD_AUDIT_MS } from './features/ml/upload-limits.ts'

export interface ModelRoomDeps {
  db: Database
  queue: Queue
  market: SeriesCandles
  log: Logger
  now(): number
}

/** The models: training, judging, examining and lending them. */
export function createModelRooms({ db, queue, market, log, now }: ModelRoomDeps) {
  const modelStore = createModelStore(db.orm, market.venue)
  const predictors = createPredictors(modelStore)
  const judging = { store: modelStore, predictors, candles: market }
  const models = createModelDesk({ db, ...judging })
  const trainingStore = createTrainingStore(db.orm)
  const checkpoints = createCheckpointStore(db.orm)
  const trainings = createTrainingDesk({ db, store: trainingStore, candles: market, queue, now })
  const examinationStore = createExaminationStore(db.orm)
  const auditing = {
    candles: market,
    open: (packed: Uint8Array) => openModel(packed, { roundTripCostBps: ROUND_TRIP_COST_BPS }),
  }
  const judge = judgeCandidate.bind(null, {
    ...judging,
    audit(candidate, signal) {
      // Whoever uploads waits for it.
      const patience = candidate.uploadedBy === undefined ? [] : [AbortSignal.timeout(UPLOAD_AUDIT_MS)]
      return auditArtifact(auditing, candidate, candidate.bytes, AbortSignal.any([signal, ...patience]))
    },
    log,
  })
  const examination = {
    db,
    store: examinationStore,
    artifacts: modelStore,
    examine: examineArtifact.bind(null, { ...auditing, importance: permutationImportance, log }),
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
    examination,
    examinations: createExaminationDesk({ db, store: examinationStore, artifacts: modelStore, queue, now }),
    judge,
  }
}
export type ModelRooms = ReturnType<typeof createModelRooms>

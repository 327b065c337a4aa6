import type { ArtifactComparison } from '@shapecast/contracts/ml'
import { botsPinnedTo } from './bots-on-model.ts'
import { insertArtifact } from './features/ml/active-artifacts.ts'
import { artifactDetail } from './features/ml/artifact-detail.ts'
import type { NewArtifact } from './features/ml/artifact-rows.ts'
import { DEFAULT_VERSION } from './features/ml/model-order.ts'
import type { ModelStore } from './features/ml/model-store.ts'
import { ROUND_TRIP_COST_BPS } from './features/ml/train-artifact.ts'
import { UPLOAD_LIMITS, UPLOAD_TRIAL_MS } from './features/ml/upload-limits.ts'
import { createUploadedArtifacts } from './features/ml/uploaded-artifacts.ts'
import type { UploadedModels } from './features/uploads/collaborators.ts'
import { createOnnxDownloads } from './features/uploads/onnx-download.ts'
import { createUploadService, type UploadServiceDeps } from './features/uploads/upload-service.ts'

export interface UploadsRoomDeps extends Pick<UploadServiceDeps, 'db' | 'candles' | 'botsOn' | 'now'> {
  store: ModelStore
  /** Holds an upload against the artifact that predicts now; null where there is none. */
  judge(upload: NewArtifact): Promise<ArtifactComparison | null>
  /** Whether predictions of a version are on record. */
  isOnRecord(version: string): Promise<boolean>
}

/** Uploads, with what they need of the models. */
export function createUploadsRoom({ db, candles, botsOn, store, judge, isOnRecord, now }: UploadsRoomDeps) {
  const kept = createUploadedArtifacts(db.orm, candles.venue)
  const models: UploadedModels = {
    ...kept,
    stored: store.stored,
    ownerOf: store.ownerOf,
    insert: (tx, upload, nowMs, comparison) =>
      insertArtifact(tx, upload, { userId: upload.uploadedBy, isManager: false }, nowMs, comparison),
    detail: async (tx, id) => artifactDetail((await store.artifact(id, tx))!),
    async remove(tx, id, artifact) {
      const { predictsNow, isEmpty } = await kept.delete(tx, id, artifact)
      if (isEmpty && (await botsOn(artifact.version)) === 0 && !(await isOnRecord(artifact.version)))
        await kept.dropVersion(tx, artifact.version)
      return predictsNow
    },
  }
  return {
    uploads: createUploadService({
      db,
      models,
      candles,
      judge,
      botsOn,
      botsPinnedTo,
      ownVersion: DEFAULT_VERSION,
      roundTripCostBps: ROUND_TRIP_COST_BPS,
      limits: UPLOAD_LIMITS,
      judgeMs: UPLOAD_TRIAL_MS,
      now,
    }),
    onnxDownloads: createOnnxDownloads(models),
  }
}

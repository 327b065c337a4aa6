import type { ArtifactComparison } from '@shapecast/contracts/ml'
import { botsPinnedTo } from './bots/bots-on-model.ts'
import { insertArtifact } from './models/active-artifacts.ts'
import { artifactDetail } from './models/artifact-detail.ts'
import type { NewArtifact } from './models/artifact-rows.ts'
import { DEFAULT_VERSION } from './models/model-order.ts'
import type { ModelStore } from './models/model-store.ts'
import { ROUND_TRIP_COST_BPS } from './models/train-artifact.ts'
import { UPLOAD_LIMITS, UPLOAD_TRIAL_MS } from './models/upload-limits.ts'
import { createUploadedArtifacts } from './models/uploaded-artifacts.ts'
import type { UploadedModels } from './models/uploads/collaborators.ts'
import { createOnnxDownloads } from './models/uploads/onnx-download.ts'
import { createUploadService, type UploadServiceDeps } from './models/uploads/upload-service.ts'

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

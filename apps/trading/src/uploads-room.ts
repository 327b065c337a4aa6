import { insertArtifact } from './features/ml/active-artifacts.ts'
import { artifactDetail } from './features/ml/artifact-detail.ts'
import { type JudgeDeps, judgeArtifact } from './features/ml/judge-artifact.ts'
import { DEFAULT_VERSION } from './features/ml/model-order.ts'
import { ROUND_TRIP_COST_BPS } from './features/ml/train-artifact.ts'
import { UPLOAD_LIMITS, UPLOAD_TRIAL_MS } from './features/ml/upload-limits.ts'
import { createUploadedArtifacts } from './features/ml/uploaded-artifacts.ts'
import type { UploadedModels } from './features/uploads/collaborators.ts'
import { createOnnxDownloads } from './features/uploads/onnx-download.ts'
import { createUploadDesk, type UploadDeskDeps } from './features/uploads/upload-desk.ts'

export interface UploadsRoomDeps extends Pick<UploadDeskDeps, 'db' | 'candles' | 'botsOn' | 'now'> {
  judging: JudgeDeps
  /** Whether predictions of a version are on record. */
  isOnRecord(version: string): Promise<boolean>
}

/** Uploads, with what they need of the models. */
export function createUploadsRoom({ db, candles, botsOn, judging, isOnRecord, now }: UploadsRoomDeps) {
  const { store } = judging
  const kept = createUploadedArtifacts(db.orm, candles.venue)
  const models: UploadedModels = {
    ...kept,
    stored: store.stored,
    insert: (tx, upload, nowMs, comparison) => insertArtifact(tx, upload, upload.uploadedBy, nowMs, comparison),
    detail: async (id) => artifactDetail((await store.artifact(id))!),
    async remove(tx, id, artifact) {
      const { predictsNow, isEmpty } = await kept.delete(tx, id, artifact)
      if (isEmpty && (await botsOn(artifact.version)) === 0 && !(await isOnRecord(artifact.version)))
        await kept.dropVersion(tx, artifact.version)
      return predictsNow
    },
  }
  return {
    uploads: createUploadDesk({
      db,
      models,
      candles,
      judge: (upload) => judgeArtifact(judging, upload),
      botsOn,
      ownVersion: DEFAULT_VERSION,
      roundTripCostBps: ROUND_TRIP_COST_BPS,
      limits: UPLOAD_LIMITS,
      judgeMs: UPLOAD_TRIAL_MS,
      now,
    }),
    onnxDownloads: createOnnxDownloads(models),
  }
}

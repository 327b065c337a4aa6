import type { ArtifactComparison, ArtifactDetail, ModelArtifact, ModelStage } from '@shapecast/contracts/ml'
import type { UploadCard } from '@shapecast/ml/foreign/upload-card'
import type { Orm } from '@shapecast/platform/database/database'

/** An upload that was tried out, as the models keep it. */
export interface TriedUpload {
  version: string
  venue: string
  symbol: string
  timeframe: string
  hash: string
  uploadedBy: string
  shown: Pick<ModelArtifact, 'trainedFrom' | 'trainedTo' | 'holdoutFrom' | 'holdoutTo' | 'seed' | 'accuracy'>
  card: UploadCard
  /** Packed: see `packForeignModel`. */
  bytes: Uint8Array
}

/** A version and whose it is; null is the installation's own. */
export interface OwnedVersion {
  stage: ModelStage
  createdBy: string | null
}

/** An artifact as deleting and downloading it need it. */
export interface KeptArtifact {
  version: string
  symbol: string
  timeframe: string
  hash: string
  origin: ModelArtifact['origin']
  active: boolean
  uploadedBy: string | null
}

/** What this room needs of the models. */
export interface UploadedModels {
  ownerOf(version: string): Promise<OwnedVersion | undefined>
  /** The version, made in staging where it is new, held by the transaction until its end. */
  claim(tx: Orm, version: string, createdBy: string, nowMs: number): Promise<OwnedVersion>
  /** How many artifacts somebody has uploaded since, whether or not they are still there. */
  uploadsSince(orm: Orm, userId: string, sinceMs: number): Promise<number>
  /** Whether a version has an artifact of this hash on a series. */
  has(tx: Orm, version: string, symbol: string, timeframe: string, hash: string): Promise<boolean>
  insert(tx: Orm, upload: TriedUpload, nowMs: number, comparison: ArtifactComparison | null): Promise<string>
  kept(id: string): Promise<KeptArtifact | undefined>
  /** The same with the stage of its version, which the transaction holds until its end. */
  held(tx: Orm, id: string): Promise<(KeptArtifact & { stage: ModelStage }) | undefined>
  stored(id: string): Promise<{ bytes: Uint8Array; card: unknown } | undefined>
  /** Of an artifact that the transaction has stored. */
  detail(tx: Orm, id: string): Promise<ArtifactDetail>
  /**
   * Deletes an artifact that is held, with all that was worked out of it, and its version where nothing else is left of
   * that. Where it predicted, the id of the one that does now; null where none does.
   */
  remove(tx: Orm, id: string, artifact: KeptArtifact): Promise<string | null>
}

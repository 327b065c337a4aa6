import type { Model, ModelArtifact } from '@shapecast/contracts/ml'
import type { LiveOutcome } from '@shapecast/ml/drift/score-drift'
import type { SeriesMarket } from '../../market/series-market.ts'

/** An artifact that predicts. */
export type ActiveArtifact = Pick<ModelArtifact, 'id' | 'hash' | 'symbol' | 'timeframe'>

/** A version with its artifacts that predict. */
export type ActiveModel = Pick<Model, 'version' | 'stage'> & { artifacts: readonly ActiveArtifact[] }

/** What this room needs of the others. */
export interface DriftCollaborators {
  /** Every version. */
  models(): Promise<readonly ActiveModel[]>
  /** The stored cards of artifacts; those that are not there are left out. */
  cardsOf(artifactIds: readonly string[]): Promise<ReadonlyMap<string, unknown>>
  /** The market's clock, ms; null where it has none. */
  marketTime(): Promise<number | null>
  /** Closed candles, oldest first. */
  load: SeriesMarket['load']
  /** The open time of the newest candle whose sealed prediction is scored, by artifact; those without are left out. */
  newestScored(artifacts: readonly ActiveArtifact[]): Promise<ReadonlyMap<string, number>>
  /** The scored predictions of artifacts in order of time, the newest `limit` of each; those without are left out. */
  outcomes(artifacts: readonly ActiveArtifact[], limit: number): Promise<ReadonlyMap<string, LiveOutcome[]>>
}

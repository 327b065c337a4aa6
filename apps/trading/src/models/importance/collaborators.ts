import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { OpenedModelFile } from '@shapecast/ml/open-model'
import type { Orm } from '@shapecast/platform/database/database'

/** An artifact as measuring its inputs needs it. */
export interface MeasuredArtifact {
  id: string
  symbol: string
  timeframe: string
  /** SHA-256, hexadecimal. */
  hash: string
}

/** What this room needs of the models: the artifacts of the installation's venue. */
export interface MeasuredArtifacts {
  artifact(id: string): Promise<MeasuredArtifact | undefined>
  bytesOf(id: string): Promise<Uint8Array | undefined>
  /** Holds the version of an artifact until the transaction ends; false where the artifact was deleted. */
  holdVersionOf(tx: Orm, id: string): Promise<boolean>
}

/** What this room needs of the market: stored candles, oldest first. */
export interface MeasuredCandles {
  load(symbol: string, timeframe: Timeframe, range: { toMs?: number; limit: number }): Promise<Candles>
}

/** Opens a packed model, trained or uploaded. Throws `unprocessable` where it cannot be. */
export type OpenModel = (packed: Uint8Array) => Promise<OpenedModelFile>

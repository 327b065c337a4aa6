import type { LeakVerdict } from '@shapecast/contracts/leak-audit'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { OpenedModelFile } from '@shapecast/ml/open-model'
import type { Orm } from '@shapecast/platform/database/database'

/** An artifact as an audit needs it, stored or not yet. */
export interface AuditedArtifact {
  symbol: string
  timeframe: string
  /** SHA-256, hexadecimal. */
  hash: string
}

/** An artifact as an examination needs it. */
export interface ExaminedArtifact extends AuditedArtifact {
  id: string
  version: string
}

/** What this room needs of the models: the artifacts of the installation's venue, and where their verdicts go. */
export interface ExaminedArtifacts {
  artifact(id: string): Promise<ExaminedArtifact | undefined>
  bytesOf(id: string): Promise<Uint8Array | undefined>
  /** Those that no examination was ever asked for, the newest first. */
  unexamined(limit: number): Promise<string[]>
  /**
   * Holds the version of an artifact until the transaction ends, before anything else of it is touched; false where the
   * artifact was deleted.
   */
  holdVersionOf(tx: Orm, id: string): Promise<boolean>
  /** Writes a verdict down; null where an examination is only asked for, which leaves an earlier verdict. */
  setLeak(tx: Orm, id: string, verdict: LeakVerdict | null): Promise<void>
  /** Lets the one predict that an artifact took over from; answers its id, or null where nothing changed. */
  handBack(tx: Orm, id: string): Promise<string | null>
}

/** What this room needs of the market: stored candles, oldest first. */
export interface ExaminedCandles {
  load(symbol: string, timeframe: Timeframe, range: { toMs?: number; limit: number }): Promise<Candles>
}

/** Opens a packed model, trained or uploaded. Throws `unprocessable` where it cannot be. */
export type OpenModel = (packed: Uint8Array) => Promise<OpenedModelFile>

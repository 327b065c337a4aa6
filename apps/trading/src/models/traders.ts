import type { BotsOnModel } from '@shapecast/contracts/ml'
import type { Doer } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { Asker } from '../ground/ownership.ts'

/** What has become of a model, and who did it; null where nobody did. */
export interface ModelNews {
  readonly version: string
  readonly title: string
  readonly text: string
  readonly doerId: string | null
}

/** Those who trade on models. Bots stand above models: composition hands this in. */
export interface Traders {
  /** Tells the owners of bots on a version what has become of it, but for its doer. */
  tell(tx: Orm, news: ModelNews, nowMs: number): Promise<void>
  /** The bots on a version as one person may see them. */
  botsOn(version: string, viewer: Asker): Promise<BotsOnModel>
  /** Tells owners that a version left production and, with `pause`, pauses their bots. */
  afterDemotion(demotion: Demotion): Promise<void>
}

export interface Demotion {
  readonly version: string
  readonly bots: 'keep' | 'pause'
  readonly doer: Doer
  readonly nowMs: number
}

/** News of a version that asks another network of its own from now on. */
export const replaced = (version: string, series: string, doerId: string | null): ModelNews => ({
  version,
  title: `${version} predicts ${series} by a newer model`,
  text: 'Your bots go on with the one that they started on. Their cards offer the newer one; those that follow their model take it once they hold nothing.',
  doerId,
})

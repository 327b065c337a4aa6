import type { Model, ModelStage } from '@shapecast/contracts/ml'

/** The version that training asks for by default; the only one that starts in production. */
export const DEFAULT_VERSION = 'v3'

const STAGE_ORDER: Record<ModelStage, number> = { production: 0, staging: 1, archived: 2 }

/** Production, staging, archived; within a stage the newest `last_update` first; then by name. */
export const byStageThenNewest = (a: Model, b: Model): number =>
  STAGE_ORDER[a.stage] - STAGE_ORDER[b.stage] ||
  (b.stats.last_update ?? -1) - (a.stats.last_update ?? -1) ||
  a.version.localeCompare(b.version)

/** The version that is used where none is named: the production version that was trained last. */
export const currentOf = (sorted: readonly Model[]): string | null =>
  sorted.find((model) => model.stage === 'production' && model.artifacts.length > 0)?.version ?? null

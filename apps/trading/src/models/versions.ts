import { isManager } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { Model, ModelStage } from '@shapecast/contracts/ml'
import { recordActivity } from '@shapecast/platform/activities'
import { type AuditEntry, type Doer, recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { Asker } from '../ground/ownership.ts'
import type { ModelRow } from './tables.ts'

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

export const noModel = (version: string): AppError =>
  new AppError('not_found', `No model is called ${version}. Choose one of the list, or train it.`)

/** Throws `forbidden` for users that neither manage nor own a version, which a production one is nobody's to own. */
export function requireRight(
  owned: Pick<ModelRow, 'stage' | 'createdBy'> | undefined,
  { userId, role }: Asker,
  doThis: string,
): void {
  const isOwner = owned?.stage !== 'production' && owned?.createdBy === userId
  if (isManager(role) || isOwner) return
  throw new AppError('forbidden', `Only managers, and the owner of a version that is not in production, ${doThis}.`)
}

/** Puts on record what was done to a version. */
export const auditModel = (
  tx: Orm,
  doer: Doer,
  action: `model.${string}`,
  version: string,
  change: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> => recordAudit(tx, doer, { action, subject: { type: 'model', id: version }, ...change })

/** Writes down for the activity feed what was done to a version; by nobody (null) where the installation did it. */
export const recordModelActivity = (
  tx: Orm,
  action: `model.${string}`,
  actorId: string | null,
  version: string,
  detail: string,
): Promise<void> =>
  recordActivity(tx, { type: 'model', action, actorId, subject: { id: version, name: version }, detail })

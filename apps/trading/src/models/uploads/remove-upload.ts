import { isManager } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { DeletedUpload } from '@shapecast/contracts/uploads'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import { and, desc, eq, sql } from 'drizzle-orm'
import { deleteOfKeys } from '../../ground/jobs/job-rows.ts'
import { matching } from '../../ground/matching.ts'
import { holdVersionOf } from '../active-artifacts.ts'
import { isOfVersion, SHOWN } from '../artifact-rows.ts'
import { IMPORTANCE } from '../importance/importance-kind.ts'
import type { ModelStore } from '../model-store.ts'
import { artifacts, models } from '../tables.ts'
import { anyTraining } from '../training-reads.ts'
import { auditModel } from '../versions.ts'

export interface RemovalDeps {
  db: Database
  models: ModelStore
  /** How many bots trade on a version. */
  botsOn(version: string): Promise<number>
  /** The bots that have pinned an artifact, named as this person may see them; null where none has. */
  botsPinnedTo(tx: Orm, artifactId: string, doer: Member): Promise<string | null>
  /** Whether predictions of a version are on record. */
  isOnRecord(version: string): Promise<boolean>
}

const inUse = (text: string) => new AppError('model_in_use', text)

/**
 * Deletes an upload that no bot has pinned; where it predicted, the newest other one of its series does from now on,
 * or none. Throws `not_found`, `unprocessable` for what was trained here, `forbidden`, `model_in_use`.
 */
export const removeUpload = (deps: RemovalDeps, id: string, doer: Member): Promise<DeletedUpload> =>
  deps.db.orm.transaction(async (tx) => {
    const artifact = await held(deps, tx, id)
    if (artifact === undefined) throw new AppError('not_found', 'There is no such model.')
    const { version, symbol, timeframe, hash, stage, active } = artifact
    if (artifact.origin !== 'uploaded')
      throw new AppError('unprocessable', `It was trained here and is kept. Move ${version} to the archive instead.`)
    if (!isManager(doer.role) && artifact.uploadedBy !== doer.userId)
      throw new AppError('forbidden', 'Only who uploaded a model, and managers, can delete it.')
    const pinned = await deps.botsPinnedTo(tx, id, doer)
    if (pinned !== null)
      throw inUse(
        `It cannot be deleted while bots are pinned to it: ${pinned}. Have them take another model first, or delete them.`,
      )
    const bots = active ? await deps.botsOn(version) : 0
    if (bots > 0)
      throw inUse(`${bots} ${bots === 1 ? 'bot trades' : 'bots trade'} on ${version}. Give them another model first.`)
    if (active && stage === 'production')
      throw inUse(`It predicts in production. Move ${version} to staging first, or promote another artifact.`)
    await tx.delete(artifacts).where(eq(artifacts.id, id))
    await deleteOfKeys(tx, IMPORTANCE, [id])
    const predictsNow = active ? await activateNext(tx, artifact) : null
    await deleteIfEmpty(deps, tx, version)
    await auditModel(tx, doer, 'model.upload_deleted', version, {
      before: { artifactId: id, hash, symbol, timeframe, active },
      ...(active ? { after: { predictsNow } } : {}),
    })
    return { version, predicted: active, predictsNow }
  })

/** An artifact and the stage of its version, which is held until the transaction ends; undefined if it is gone. */
async function held({ models: { venue } }: RemovalDeps, tx: Orm, id: string) {
  if (!(await holdVersionOf(tx, id))) return undefined
  const [row] = await tx
    .select({ ...SHOWN, stage: models.stage })
    .from(artifacts)
    .innerJoin(models, eq(models.version, artifacts.version))
    .where(matching(artifacts, { id, venue }))
  return row
}

/** Lets the newest other artifact of a series predict that waits for no promotion: its id, null if there is none. */
async function activateNext(
  tx: Orm,
  of: Pick<typeof artifacts.$inferSelect, 'version' | 'venue' | 'symbol' | 'timeframe'>,
): Promise<string | null> {
  const waitsNot = sql`${artifacts.comparison}->>'waits' is distinct from 'true'`
  const [next] = await tx
    .select({ id: artifacts.id })
    .from(artifacts)
    .where(and(isOfVersion(of), waitsNot))
    .orderBy(desc(artifacts.createdAtMs), desc(artifacts.id))
    .limit(1)
  if (next === undefined) return null
  await tx.update(artifacts).set({ active: true }).where(eq(artifacts.id, next.id))
  return next.id
}

/** Deletes a version that has nothing left. */
async function deleteIfEmpty({ botsOn, isOnRecord }: RemovalDeps, tx: Orm, version: string): Promise<void> {
  if ((await tx.$count(artifacts, eq(artifacts.version, version))) > 0) return
  if ((await anyTraining(tx, { version })) || (await botsOn(version)) > 0 || (await isOnRecord(version))) return
  await tx.delete(models).where(eq(models.version, version))
}

import { AppError } from '@shapecast/contracts/errors'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, ne } from 'drizzle-orm'
import { isOfSeries, type NewArtifact, type Series } from './artifact-rows.ts'
import { DEFAULT_VERSION } from './model-order.ts'
import { artifacts, type ModelRow, models } from './tables.ts'

/**
 * Holds a version until the transaction ends, made first where it is not there: also where somebody deletes it just now,
 * who has it before.
 */
export async function holdOrMake(tx: Orm, version: ModelRow): Promise<ModelRow> {
  const [held] = await tx
    .insert(models)
    .values(version)
    .onConflictDoUpdate({ target: models.version, set: { version: version.version } })
    .returning()
  return held!
}

/**
 * Holds an artifact's version until the transaction ends; false where the artifact was deleted. Whoever changes artifacts
 * takes this first: what they read then stays so, and two of them do not wait for each other.
 */
export async function holdVersionOf(tx: Orm, artifactId: string): Promise<boolean> {
  const find = () => tx.select({ version: artifacts.version }).from(artifacts).where(eq(artifacts.id, artifactId))
  const [row] = await find()
  if (row === undefined) return false
  await tx.select().from(models).where(eq(models.version, row.version)).for('update')
  return (await find()).length > 0
}

/**
 * Makes an artifact the active one of its series; answers the one that was it before, null where there was none, and
 * undefined where it is that already. Throws `not_found` where it was deleted meanwhile.
 */
export async function activate(
  tx: Orm,
  artifact: Series & { id: string; version: string },
): Promise<string | null | undefined> {
  if (!(await holdVersionOf(tx, artifact.id))) throw new AppError('not_found', 'This model was deleted meanwhile.')
  const [own] = await tx.select({ active: artifacts.active }).from(artifacts).where(eq(artifacts.id, artifact.id))
  if (own?.active) return undefined
  const [before] = await tx
    .update(artifacts)
    .set({ active: false })
    .where(
      and(
        eq(artifacts.version, artifact.version),
        isOfSeries(artifact),
        artifacts.active,
        ne(artifacts.id, artifact.id),
      ),
    )
    .returning({ id: artifacts.id })
  await tx.update(artifacts).set({ active: true }).where(eq(artifacts.id, artifact.id))
  return before?.id ?? null
}

/** A comparison with an artifact that has given way to another since. */
const outdated = (comparison: ArtifactComparison): ArtifactComparison => ({
  ...comparison,
  noWorse: false,
  verdict: `Another artifact has become the active one since they were compared. It stays until a manager promotes this one. ${comparison.verdict.replace(', so it predicts now:', ':')}`,
})

/**
 * Stores an artifact, and its version where it is new: v3, the default, starts in production where it was trained here, any
 * other in staging, from where a manager promotes it. It predicts from now on where no other of its series does, where
 * `comparison` found it no worse than the one that is active still; an upload in
 * production only once a manager promotes it. Answers its id.
 */
export async function insertArtifact(
  db: Orm,
  artifact: NewArtifact,
  createdBy: string | null,
  nowMs: number,
  comparison: ArtifactComparison | null = null,
): Promise<string> {
  const { version, venue, symbol, timeframe } = artifact
  // One at a time a version, so that two artifacts do not both find themselves the first.
  const model = await holdOrMake(db, {
    version,
    stage: version === DEFAULT_VERSION && artifact.uploadedBy === undefined ? 'production' : 'staging',
    createdBy,
    createdAtMs: nowMs,
  })
  const [active] = await db
    .select({ id: artifacts.id })
    .from(artifacts)
    .where(and(eq(artifacts.version, version), isOfSeries(artifact), artifacts.active))
  const mayTakeOver = artifact.uploadedBy === undefined || model.stage !== 'production'
  const kept =
    comparison?.noWorse === true && active !== undefined && comparison.againstId !== active.id
      ? outdated(comparison)
      : comparison
  const takesOver = mayTakeOver && (active === undefined || kept?.noWorse === true)
  if (active !== undefined && takesOver)
    await db.update(artifacts).set({ active: false }).where(eq(artifacts.id, active.id))
  const [row] = await db
    .insert(artifacts)
    .values({
      version,
      venue,
      symbol,
      timeframe,
      hash: artifact.hash,
      shown: artifact.shown,
      card: artifact.card,
      bytes: Buffer.from(artifact.bytes.buffer, artifact.bytes.byteOffset, artifact.bytes.byteLength),
      origin: artifact.uploadedBy === undefined ? 'trained' : 'uploaded',
      uploadedBy: artifact.uploadedBy ?? null,
      active: takesOver,
      comparison: kept,
      createdAtMs: nowMs,
    })
    .returning({ id: artifacts.id })
  return row!.id
}

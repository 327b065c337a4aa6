import { AppError } from '@shapecast/contracts/errors'
import type { ArtifactComparison } from '@shapecast/contracts/ml'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, ne } from 'drizzle-orm'
import { isOfVersion, type NewArtifact, type Series } from './artifact-rows.ts'
import { artifacts, type ModelRow, models } from './tables.ts'
import { DEFAULT_VERSION } from './versions.ts'

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
 * Holds an artifact's version until the transaction ends; false where the artifact was deleted. Changes of artifacts
 * take this first: what they read then stays so, and two of them do not wait for each other.
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
    .where(and(isOfVersion(artifact), artifacts.active, ne(artifacts.id, artifact.id)))
    .returning({ id: artifacts.id })
  await tx.update(artifacts).set({ active: true }).where(eq(artifacts.id, artifact.id))
  return before?.id ?? null
}

/** A comparison with an artifact that has given way to another since. */
const outdated = (comparison: ArtifactComparison): ArtifactComparison => ({
  ...comparison,
  takesOver: false,
  verdict: `Another artifact has become the active one since they were compared. It stays until a manager promotes this one. ${comparison.verdict.replace(', so it predicts now:', ':')}`,
})

/** Who made an artifact, and whether a manager stands behind it. */
export interface Maker {
  userId: string | null
  isManager: boolean
  /** It is to be looked at before it predicts. */
  isOffer?: boolean | undefined
}

/**
 * The installation itself as the maker of a model.
 * @internal for tests
 */
export const INSTALLATION: Maker = { userId: null, isManager: true }

/** Who has to let a training into this version predict; null where it may by its figures. */
function whomItWaitsFor({ version, stage, createdBy }: ModelRow, { userId, isManager, isOffer }: Maker): string | null {
  if (isOffer) return 'It was trained by itself and is offered: promote it to let it predict.'
  if (isManager) return null
  if (stage === 'production') return `${version} is in production: it waits until a manager promotes it.`
  return createdBy === userId ? null : `${version} is somebody else's: it waits until they or a manager promote it.`
}

/** The figures of a comparison that has none. */
export const NO_FIGURES = { from: null, to: null, outcomes: 0, logLoss: null, brier: null, accuracy: null, test: null }

/** What was found of an artifact, which waits whatever that is. */
const waiting = (comparison: ArtifactComparison | null, waitsFor: string): ArtifactComparison => ({
  ...(comparison ?? { ...NO_FIGURES, againstId: null }),
  takesOver: false,
  waits: true,
  verdict: [comparison?.verdict.replace(', so it predicts now:', ':'), waitsFor].filter(Boolean).join(' '),
})

/**
 * Stores an artifact, and its version where it is new: v3, the default, starts in production where it was trained here, any
 * other in staging, from where a manager promotes it. It predicts from now on where no other of its series does, or where
 * `comparison` lets it take over from the one that is active still. What may not: an upload in production, and what was
 * trained by somebody into a version that is in production or not their own. These wait until they are promoted.
 * `maker.userId` is null where the installation itself made it. Answers its id.
 */
export async function insertArtifact(
  db: Orm,
  artifact: NewArtifact,
  maker: Maker,
  nowMs: number,
  comparison: ArtifactComparison | null = null,
): Promise<string> {
  const { version } = artifact
  // One at a time a version, so that two artifacts do not both find themselves the first.
  const model = await holdOrMake(db, {
    version,
    stage: version === DEFAULT_VERSION && artifact.uploadedBy === undefined ? 'production' : 'staging',
    // The default one is the installation's own, also when a user trains it first.
    createdBy: version === DEFAULT_VERSION ? null : maker.userId,
    createdAtMs: nowMs,
  })
  const [active] = await db
    .select({ id: artifacts.id })
    .from(artifacts)
    .where(and(isOfVersion(artifact), artifacts.active))
  const waitsFor = artifact.uploadedBy === undefined ? whomItWaitsFor(model, maker) : null
  const mayPredict = waitsFor === null && (artifact.uploadedBy === undefined || model.stage !== 'production')
  const current =
    comparison?.takesOver === true && active !== undefined && comparison.againstId !== active.id
      ? outdated(comparison)
      : comparison
  const kept = waitsFor === null ? current : waiting(current, waitsFor)
  const takesOver = mayPredict && (active === undefined || kept?.takesOver === true)
  if (active !== undefined && takesOver)
    await db.update(artifacts).set({ active: false }).where(eq(artifacts.id, active.id))
  const [row] = await db
    .insert(artifacts)
    .values({
      ...artifact,
      bytes: Buffer.from(artifact.bytes.buffer, artifact.bytes.byteOffset, artifact.bytes.byteLength),
      origin: artifact.uploadedBy === undefined ? 'trained' : 'uploaded',
      active: takesOver,
      comparison: kept,
      createdAtMs: nowMs,
    })
    .returning({ id: artifacts.id })
  return row!.id
}

import { AppError } from '@shapecast/contracts/errors'
import type { FeatureImportance } from '@shapecast/contracts/importance'
import type { LeakAudit } from '@shapecast/contracts/leak-audit'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { failureText } from '../../job-end.ts'
import type { ExaminedArtifact, ExaminedArtifacts } from './collaborators.ts'
import type { ExaminationStore } from './examination-store.ts'

export interface ExaminationRunDeps {
  db: Database
  store: ExaminationStore
  artifacts: ExaminedArtifacts
  /** `examineArtifact`, as a plug. */
  examine(
    artifact: ExaminedArtifact,
    packed: Uint8Array,
    onAudit: (audit: LeakAudit) => Promise<void>,
    signal: AbortSignal,
    known?: LeakAudit,
  ): Promise<FeatureImportance | null>
  log: Logger
  now(): number
}

/**
 * Carries out one queued examination from its start; one that a dead worker left behind starts over, to the same result. It
 * ends as completed, or failed with a text. A leak goes on record, and the artifact gives way to the one that it took over
 * from. Where `signal` fires because this process stops, or where the database cannot be reached, the row is left as it is
 * and the error thrown on, so that the queue hands the job to another worker. A `known` audit is not made again.
 */
export async function runExamination(
  deps: ExaminationRunDeps,
  artifactId: string,
  jobId: string,
  signal: AbortSignal,
  known?: LeakAudit,
): Promise<void> {
  const { db, store, artifacts, examine, log, now } = deps
  if ((await store.begin(artifactId, jobId)) === undefined) return
  try {
    const artifact = await artifacts.artifact(artifactId)
    const packed = await artifacts.bytesOf(artifactId)
    if (artifact === undefined || packed === undefined)
      throw new AppError('not_found', 'There is no such trained model on this market.')
    const importance = await examine(artifact, packed, (audit) => keepAudit(artifact, audit), signal, known)
    signal.throwIfAborted()
    await store.complete(artifactId, jobId, importance, now())
  } catch (error) {
    await store.fail(artifactId, jobId, failureText(error, { what: 'audit', id: artifactId, signal, log }), now())
  }

  async function keepAudit(artifact: ExaminedArtifact, audit: LeakAudit): Promise<void> {
    const { id, version, hash, symbol, timeframe } = artifact
    await db.orm.transaction(async (tx) => {
      if (!(await artifacts.holdVersionOf(tx, id))) return
      const found = await store.keepAudit(tx, id, jobId, audit, now())
      if (found === undefined) return
      await artifacts.setLeak(tx, id, found.verdict)
      if (found.verdict !== 'failed' || found.before === 'failed') return
      const checks = audit.checks.filter(({ passed }) => !passed)
      await recordAudit(tx, {
        actorId: null,
        address: null,
        action: 'model.leak_found',
        subject: { type: 'model', id: version },
        after: { artifactId: id, hash, symbol, timeframe, checks, predictsNow: await artifacts.handBack(tx, id) },
      })
    })
  }
}

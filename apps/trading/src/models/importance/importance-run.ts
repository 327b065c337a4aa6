import { AppError } from '@shapecast/contracts/errors'
import type { FeatureImportance } from '@shapecast/contracts/importance'
import type { Logger } from '@shapecast/platform/logging'
import { failureText } from '../../ground/job-end.ts'
import type { MeasuredArtifact, MeasuredArtifacts } from './collaborators.ts'
import type { ImportanceStore } from './importance-store.ts'

export interface ImportanceRunDeps {
  store: ImportanceStore
  artifacts: MeasuredArtifacts
  /** `measureArtifact`, as a plug. */
  measure(artifact: MeasuredArtifact, packed: Uint8Array, signal: AbortSignal): Promise<FeatureImportance>
  log: Logger
  now(): number
}

/**
 * Carries out one queued measuring from its start; one that a dead worker left behind starts over, to the same result. It
 * ends as completed, or failed with a text. Where `signal` fires because this process stops, or where the database cannot be
 * reached, the row is left as it is and the error thrown on, so that the queue hands the job to another worker.
 */
export async function runImportance(
  { store, artifacts, measure, log, now }: ImportanceRunDeps,
  artifactId: string,
  jobId: string,
  signal: AbortSignal,
): Promise<void> {
  if ((await store.begin(artifactId, jobId)) === undefined) return
  try {
    const artifact = await artifacts.artifact(artifactId)
    const packed = await artifacts.bytesOf(artifactId)
    if (artifact === undefined || packed === undefined)
      throw new AppError('not_found', 'There is no such trained model on this market.')
    const importance = await measure(artifact, packed, signal)
    signal.throwIfAborted()
    await store.complete(artifactId, jobId, importance, now())
  } catch (error) {
    await store.fail(artifactId, jobId, failureText(error, { what: 'importance', id: artifactId, signal, log }), now())
  }
}

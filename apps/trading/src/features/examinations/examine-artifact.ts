import { AppError } from '@shapecast/contracts/errors'
import type { FeatureImportance } from '@shapecast/contracts/importance'
import type { LeakAudit } from '@shapecast/contracts/leak-audit'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { auditPredictor } from '@shapecast/ml/audit/audit-artifact'
import type { ForeignModel } from '@shapecast/ml/foreign/foreign-model'
import type { OpenedModelFile } from '@shapecast/ml/open-model'
import type { Predictor } from '@shapecast/ml/predict'
import type { Logger } from '@shapecast/platform/logging'
import type { AuditedArtifact, ExaminedArtifact, ExaminedCandles, OpenModel } from './collaborators.ts'

/** Candles beyond what a forecast looks back on: room for the audit's cuts and the hold-out. */
const JUDGED_CANDLES = 1000

export interface ExamineDeps {
  candles: ExaminedCandles
  open: OpenModel
  /** `permutationImportance`, as a plug. */
  importance(
    model: Predictor | ForeignModel,
    candles: Candles,
    options: { seed: number; signal: AbortSignal },
  ): Promise<FeatureImportance>
  log: Logger
}

/** The same artifact draws the same lots, whenever it is examined; two artifacts draw different ones. */
const seedOf = (hash: string): number => Number.parseInt(hash.slice(0, 7), 16) || 1

/** In full; fast where the series has too few candles to train anew on. */
async function auditFully(
  predictor: Predictor,
  candles: Candles,
  options: { seed: number; signal: AbortSignal },
): Promise<LeakAudit> {
  try {
    return await auditPredictor(predictor, candles, { mode: 'full', ...options })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_few_candles') throw error
    const audit = await auditPredictor(predictor, candles, { mode: 'fast', ...options })
    return { ...audit, caveat: 'There are too few candles to train it anew: labels and target were not tried.' }
  }
}

/** Hands what a packed model opens to to `work`, and closes it. */
async function withOpened<R>(open: OpenModel, packed: Uint8Array, work: (opened: OpenedModelFile) => Promise<R>) {
  const opened = await open(packed)
  try {
    return await work(opened)
  } finally {
    await (opened.kind === 'uploaded' ? opened.model : opened.predictor).close()
  }
}

async function auditOpened(
  market: ExaminedCandles,
  { symbol, timeframe, hash }: AuditedArtifact,
  opened: OpenedModelFile,
  signal: AbortSignal,
  known?: LeakAudit,
) {
  const options = { seed: seedOf(hash), signal }
  const model = opened.kind === 'uploaded' ? opened.model : opened.predictor
  const candles = await market.load(symbol, timeframe as Timeframe, {
    limit: model.historyCandles + JUDGED_CANDLES,
    ...(opened.kind === 'uploaded' ? {} : { toMs: opened.artifact.card.data.to }),
  })
  const audit =
    known ??
    (opened.kind === 'uploaded'
      ? await opened.model.audit(candles, options)
      : await auditFully(opened.predictor, candles, options))
  return { audit, model, candles, options }
}

/**
 * Audits an artifact for knowledge of the future: one that was trained here on the candles up to its newest one, so that
 * the result is the same whenever it is asked for; an upload on the newest there are. Throws `too_few_candles`,
 * `unprocessable`, and the signal's reason where it is aborted.
 */
export const auditArtifact = (
  { candles, open }: Pick<ExamineDeps, 'candles' | 'open'>,
  artifact: AuditedArtifact,
  packed: Uint8Array,
  signal: AbortSignal,
): Promise<LeakAudit> =>
  withOpened(open, packed, async (opened) => (await auditOpened(candles, artifact, opened, signal)).audit)

/**
 * Audits an artifact as `auditArtifact` does, where it is not `known` what that finds, and finds out what it looks at. The
 * audit is told as soon as it is there, since the rest takes longer; what it looks at is null where that cannot be found
 * out.
 */
export const examineArtifact = (
  deps: ExamineDeps,
  artifact: ExaminedArtifact,
  packed: Uint8Array,
  onAudit: (audit: LeakAudit) => Promise<void>,
  signal: AbortSignal,
  known?: LeakAudit,
): Promise<FeatureImportance | null> =>
  withOpened(deps.open, packed, async (opened) => {
    const { audit, model, candles, options } = await auditOpened(deps.candles, artifact, opened, signal, known)
    await onAudit(audit)
    try {
      return await deps.importance(model, candles, options)
    } catch (error) {
      signal.throwIfAborted()
      // The audit counts for itself.
      deps.log.warn({ err: error, artifact: artifact.id }, 'the importance of inputs could not be found out')
      return null
    }
  })

import { AppError } from '@shapecast/contracts/errors'
import type { FeatureImportance } from '@shapecast/contracts/importance'
import type { LeakAudit } from '@shapecast/contracts/leak-audit'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { auditPredictor } from '@shapecast/ml/audit/audit-artifact'
import type { ForeignModel } from '@shapecast/ml/foreign/foreign-model'
import type { Predictor } from '@shapecast/ml/predict'
import type { Logger } from '@shapecast/platform/logging'
import type { ExaminedArtifact, ExaminedCandles, OpenModel } from './collaborators.ts'

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
const seedOf = ({ hash }: ExaminedArtifact): number => Number.parseInt(hash.slice(0, 7), 16) || 1

/** In full; fast where the series has too few candles to train anew on. */
async function auditFully(
  predictor: Predictor,
  candles: Candles,
  seed: number,
  signal: AbortSignal,
): Promise<LeakAudit> {
  try {
    return await auditPredictor(predictor, candles, { mode: 'full', seed, signal })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_few_candles') throw error
    const audit = await auditPredictor(predictor, candles, { mode: 'fast', seed, signal })
    return { ...audit, caveat: 'There are too few candles to train it anew: labels and target were not tried.' }
  }
}

/**
 * Audits an artifact for knowledge of the future and finds out what it looks at: one that was trained here on the candles up
 * to its newest one, so that the result is the same whenever it is asked for; an upload on the newest there are. The audit is
 * told as soon as it is there, since the rest takes longer; what it looks at is null where that cannot be found out. Throws
 * `too_few_candles`, `unprocessable`, and the signal's reason where it is aborted.
 */
export async function examineArtifact(
  deps: ExamineDeps,
  artifact: ExaminedArtifact,
  packed: Uint8Array,
  onAudit: (audit: LeakAudit) => Promise<void>,
  signal: AbortSignal,
): Promise<FeatureImportance | null> {
  const seed = seedOf(artifact)
  const load = (historyCandles: number, toMs?: number): Promise<Candles> =>
    deps.candles.load(artifact.symbol, artifact.timeframe as Timeframe, {
      limit: historyCandles + JUDGED_CANDLES,
      ...(toMs === undefined ? {} : { toMs }),
    })
  const importanceOf = async (model: Predictor | ForeignModel, candles: Candles) => {
    try {
      return await deps.importance(model, candles, { seed, signal })
    } catch (error) {
      signal.throwIfAborted()
      // The audit counts for itself.
      deps.log.warn({ err: error, artifact: artifact.id }, 'the importance of inputs could not be found out')
      return null
    }
  }

  const opened = await deps.open(packed)
  if (opened.kind === 'uploaded') {
    const { model } = opened
    try {
      const candles = await load(model.historyCandles)
      await onAudit(await model.audit(candles, { seed, signal }))
      return await importanceOf(model, candles)
    } finally {
      model.close()
    }
  }
  const { predictor } = opened
  try {
    const candles = await load(predictor.historyCandles, opened.artifact.card.data.to)
    await onAudit(await auditFully(predictor, candles, seed, signal))
    return await importanceOf(predictor, candles)
  } finally {
    await predictor.close()
  }
}

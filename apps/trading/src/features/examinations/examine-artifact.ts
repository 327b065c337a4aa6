import { AppError } from '@shapecast/contracts/errors'
import type { LeakAudit } from '@shapecast/contracts/leak-audit'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { auditPredictor } from '@shapecast/ml/audit/audit-artifact'
import type { Predictor } from '@shapecast/ml/predict'
import type { ExaminedArtifact, ExaminedCandles, OpenModel } from './collaborators.ts'
import type { Findings } from './examination-store.ts'

/** Candles beyond what a forecast looks back on: room for the audit's cuts and the hold-out. */
const JUDGED_CANDLES = 1000

export interface ExamineDeps {
  candles: ExaminedCandles
  open: OpenModel
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
 * to its newest one, so that the result is the same whenever it is asked for; an upload on the newest there are. Throws
 * `too_few_candles`, `unprocessable`, and the signal's reason where it is aborted.
 */
export async function examineArtifact(
  { candles: market, open }: ExamineDeps,
  artifact: ExaminedArtifact,
  packed: Uint8Array,
  signal: AbortSignal,
): Promise<Findings> {
  const seed = seedOf(artifact)
  const load = (historyCandles: number, toMs?: number): Promise<Candles> =>
    market.load(artifact.symbol, artifact.timeframe as Timeframe, {
      limit: historyCandles + JUDGED_CANDLES,
      ...(toMs === undefined ? {} : { toMs }),
    })
  const opened = await open(packed)
  if (opened.kind === 'uploaded') {
    const { model } = opened
    try {
      return { audit: await model.audit(await load(model.historyCandles), { seed, signal }), importance: null }
    } finally {
      model.close()
    }
  }
  const { predictor } = opened
  try {
    const candles = await load(predictor.historyCandles, opened.artifact.card.data.to)
    return { audit: await auditFully(predictor, candles, seed, signal), importance: null }
  } finally {
    await predictor.close()
  }
}

import type { FeatureImportance } from '@shapecast/contracts/importance'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { permutationImportance } from '@shapecast/ml/importance/importance'
import type { MeasuredArtifact, MeasuredCandles, OpenModel } from './collaborators.ts'

/** Candles beyond what a forecast looks back on: room for the hold-out. */
const JUDGED_CANDLES = 1000

/** The same artifact draws the same lots, whenever it is measured; two artifacts draw different ones. */
const seedOf = (hash: string): number => Number.parseInt(hash.slice(0, 7), 16) || 1

/**
 * What an artifact looks at: one that was trained here on the candles up to its newest one, so that the result is the same
 * whenever it is asked for; an upload on the newest there are. Throws `too_few_candles`, `unprocessable`, and the signal's
 * reason where it is aborted.
 */
export async function measureArtifact(
  { candles, open }: { candles: MeasuredCandles; open: OpenModel },
  { symbol, timeframe, hash }: MeasuredArtifact,
  packed: Uint8Array,
  signal: AbortSignal,
): Promise<FeatureImportance> {
  const opened = await open(packed)
  const model = opened.kind === 'uploaded' ? opened.model : opened.predictor
  try {
    const given = await candles.load(symbol, timeframe as Timeframe, {
      limit: model.historyCandles + JUDGED_CANDLES,
      ...(opened.kind === 'uploaded' ? {} : { toMs: opened.artifact.card.data.to }),
    })
    return await permutationImportance(model, given, { seed: seedOf(hash), signal })
  } finally {
    await model.close()
  }
}

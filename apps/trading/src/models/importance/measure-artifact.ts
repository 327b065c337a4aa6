import { AppError } from '@shapecast/contracts/errors'
import { besideOf } from '@shapecast/contracts/foreign-card'
import type { FeatureImportance } from '@shapecast/contracts/importance'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { permutationImportance } from '@shapecast/ml/importance/measure-importance'
import { openModel } from '@shapecast/ml/open-model'
import type { Progress, Work } from '../../ground/jobs/kind.ts'
import type { CandleSource } from '../../market/series-market.ts'
import type { ArtifactRow } from '../artifact-rows.ts'
import { loadBeside } from '../load-beside.ts'
import type { ModelStore } from '../model-store.ts'
import { ROUND_TRIP_COST_BPS } from '../train-artifact.ts'

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
  candles: CandleSource,
  { symbol, timeframe, hash }: Pick<ArtifactRow, 'symbol' | 'timeframe' | 'hash'>,
  packed: Uint8Array,
  signal: AbortSignal,
): Promise<FeatureImportance> {
  const opened = await openModel(packed, { roundTripCostBps: ROUND_TRIP_COST_BPS })
  const model = opened.kind === 'uploaded' ? opened.model : opened.predictor
  try {
    const given = await candles.load(symbol, timeframe as Timeframe, {
      limit: model.historyCandles + JUDGED_CANDLES,
      ...(opened.kind === 'uploaded' ? {} : { toMs: opened.artifact.card.data.to }),
    })
    const others = opened.kind === 'uploaded' ? besideOf(opened.model.card) : []
    const beside = await loadBeside(candles, { symbol, timeframe: timeframe as Timeframe }, others, given)
    return await permutationImportance(model, given, { beside, seed: seedOf(hash), signal })
  } finally {
    await model.close()
  }
}

export interface ImportanceWorkDeps {
  artifacts: Pick<ModelStore, 'artifact' | 'stored'>
  /** `measureArtifact`, as a plug. */
  measure(artifact: ArtifactRow, packed: Uint8Array, signal: AbortSignal): Promise<FeatureImportance>
}

/** Measures artifacts, each from its start: one that a dead worker left behind comes to the same result. */
export const importanceWork = ({
  artifacts,
  measure,
}: ImportanceWorkDeps): Work<{ artifactId: string }, Progress, FeatureImportance, FeatureImportance> => ({
  async run({ payload: { artifactId } }, { signal }) {
    const artifact = await artifacts.artifact(artifactId)
    const stored = await artifacts.stored(artifactId)
    if (artifact === undefined || stored === undefined)
      throw new AppError('not_found', 'There is no such trained model on this market.')
    const importance = await measure(artifact, stored.bytes, signal)
    signal.throwIfAborted()
    return importance
  },
  complete: async (_tx, _job, result) => ({ result, progress: { current: 1, total: 1 } }),
})

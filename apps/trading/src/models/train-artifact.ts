import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { TrainParams } from '@shapecast/contracts/trainings'
import type { Candles } from '@shapecast/engine/candles'
import { type ModelArtifactFile, packArtifact } from '@shapecast/ml/artifact/artifact'
import { candlesNeeded } from '@shapecast/ml/recipe/settings'
import type { TrainProgress } from '@shapecast/ml/train/progress-meter'
import type { TrainCheckpoint } from '@shapecast/ml/train/train-networks'
import { type TrainedModel, type TrainModelInput, trainModel } from '@shapecast/ml/train-model'
import type { NewArtifact, Series } from './artifact-rows.ts'
import type { ArtifactSummary } from './tables.ts'

/** Entry and exit, each with the default fee and slippage: 2 × (6 + 5) = 22 bps. */
export const ROUND_TRIP_COST_BPS = 2 * (BACKTEST_DEFAULTS.feeRate * 10_000 + BACKTEST_DEFAULTS.slippageBps)

/** Throws `no_candles` or `too_few_candles` with how many there are and how many the settings need. */
export function requireEnoughCandles(have: number, series: Series, params: TrainParams): void {
  if (have === 0)
    throw new AppError(
      'no_candles',
      `No candles of ${series.symbol} ${series.timeframe} are stored in this range. Import some, or choose another range.`,
    )
  const need = candlesNeeded(params)
  if (have < need)
    throw new AppError(
      'too_few_candles',
      `Training needs at least ${need} candles of ${series.symbol} ${series.timeframe}; there are ${have} in this range.`,
    )
}

const shownOf = ({ card }: ModelArtifactFile): ArtifactSummary => {
  const { flatOutcomes: _flat, ...accuracy } = card.evaluation.accuracy
  return {
    trainedFrom: card.ranges.train.from,
    trainedTo: card.ranges.train.to,
    holdoutFrom: card.ranges.holdout.from,
    holdoutTo: card.ranges.holdout.to,
    seed: card.settings.seed,
    accuracy,
  }
}

export interface TrainArtifactInput {
  series: Series
  version: string
  candles: Candles
  params: TrainParams
  createdAtMs: number
  onProgress?: (progress: TrainProgress) => void
  signal?: AbortSignal
  now?: () => number
  /** Called after every epoch with what `resume` takes. */
  onCheckpoint?: (checkpoint: TrainCheckpoint) => Promise<void>
  resume?: TrainCheckpoint
}

/** What the training of a version asks of `trainModel`. */
export const modelInput = ({
  series,
  version: _,
  candles,
  params,
  ...control
}: TrainArtifactInput): TrainModelInput => ({
  ...control,
  candles,
  timeframe: series.timeframe as Timeframe,
  settings: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)),
  roundTripCostBps: ROUND_TRIP_COST_BPS,
  source: { venue: series.venue, symbol: series.symbol },
})

/** A trained model as it is stored. */
export const newArtifact = (
  { series, version }: Pick<TrainArtifactInput, 'series' | 'version'>,
  { artifact, hash }: TrainedModel,
): NewArtifact => ({
  ...series,
  version,
  hash,
  shown: shownOf(artifact),
  card: artifact.card,
  bytes: packArtifact(artifact),
})

/** Trains a version on candles and packs the artifact for storing. Throws as `trainModel` does. */
export async function trainArtifact(input: TrainArtifactInput): Promise<NewArtifact> {
  requireEnoughCandles(input.candles.length, input.series, input.params)
  return newArtifact(input, await trainModel(modelInput(input)))
}

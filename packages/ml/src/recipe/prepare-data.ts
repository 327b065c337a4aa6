import type { Timeframe } from '@shapecast/contracts/timeframes'
import { HOLDOUT_CANDLES, HORIZONS, MINIMUM_ROWS } from '@shapecast/contracts/training-candles'
import type { Candles } from '@shapecast/engine/candles'
import { buildFeatureTable, type FeatureTable, hasWindow } from '../features/feature-table.ts'
import { fitStandardisation, type Standardisation, standardise } from '../features/standardise.ts'
import { empiricalQuantiles } from './empirical-quantiles.ts'
import { fitHar, forecastSigma, type HarModel } from './har-model.ts'
import { findOutcomes, type Outcomes, scaledTargets, upLabels } from './outcomes.ts'
import { candlesNeeded, MINIMUM_HOLDOUT_ROWS, QUANTILES, type TrainSettings } from './settings.ts'
import { TooFewCandles } from './too-few-candles.ts'

interface Split {
  train: Int32Array
  validation: Int32Array
  /** Rows whose next candle is in the hold-out. Their outcomes at longer horizons may be missing at the end. */
  holdout: Int32Array
  /** Rows before the hold-out with a window and every outcome: training, validation and what is purged between. */
  usable: number
}

/**
 * Splits the rows in time. No outcome of a training or validation row reaches into the hold-out (the newest 400 candles),
 * and none of a training row reaches into validation: rows are purged by the horizon at both borders (López de Prado,
 * Advances in Financial Machine Learning, 7.4).
 */
export function splitRows(
  table: FeatureTable,
  outcomes: Outcomes,
  settings: { lookback: number; validationRatio: number },
): Split {
  const n = table.length
  const firstHoldout = n - HOLDOUT_CANDLES
  const usable: number[] = []
  for (let i = 0; i + HORIZONS < firstHoldout; i++)
    if (hasWindow(table, i, settings.lookback) && !Number.isNaN(outcomes.returns[HORIZONS - 1]![i]!)) usable.push(i)
  const validation = usable.slice(usable.length - Math.round(usable.length * settings.validationRatio))
  const border = (validation[0] ?? firstHoldout) - HORIZONS
  const holdout: number[] = []
  for (let i = firstHoldout - 1; i + 1 < n; i++) if (hasWindow(table, i, settings.lookback)) holdout.push(i)
  return {
    train: Int32Array.from(usable.filter((i) => i < border)),
    validation: Int32Array.from(validation),
    holdout: Int32Array.from(holdout),
    usable: usable.length,
  }
}

/** Candles as rows to learn from. */
export interface TrainingData {
  table: FeatureTable
  outcomes: Outcomes
  split: Split
  standardisation: Standardisation
  /** Standardised features, row-major. */
  matrix: Float32Array
  /** 1 up, 0 down, ½ flat or unknown, at the signal horizon. */
  up: Float32Array
}

/** Features, outcomes and split of the candles. Throws TooFewCandles. */
export function prepareData(candles: Candles, timeframe: Timeframe, settings: TrainSettings): TrainingData {
  const need = candlesNeeded(settings)
  if (candles.length < need) throw new TooFewCandles(candles.length, need)
  const table = buildFeatureTable(candles, timeframe, settings.features)
  const outcomes = findOutcomes(candles.close, table, HORIZONS)
  const split = splitRows(table, outcomes, settings)
  if (split.usable < MINIMUM_ROWS || split.holdout.length < MINIMUM_HOLDOUT_ROWS)
    throw new TooFewCandles(
      candles.length,
      need,
      `Holes among them leave ${split.usable} to learn from and ${split.holdout.length} to judge by; ` +
        `${MINIMUM_ROWS} and ${MINIMUM_HOLDOUT_ROWS} are needed. Choose a range with fewer holes.`,
    )
  const standardisation = fitStandardisation(table.features, split.train)
  return {
    table,
    outcomes,
    split,
    standardisation,
    matrix: standardise(table.features, standardisation),
    up: upLabels(outcomes.returns[settings.signalHorizon - 1]!),
  }
}

/** The volatility model, and what it makes of the outcomes. */
export interface VolatilityFit {
  har: HarModel
  /** By horizon, of all candles. */
  sigma: Float64Array[]
  /** Returns ahead over σ_h, row-major [candles × horizons]. */
  targets: Float32Array
  /** Of the training rows, [horizons][quantiles]. */
  residualQuantiles: number[][]
}

/** Fits the volatility model on the training rows. */
export function fitVolatility({ table, outcomes, split }: TrainingData, alpha: number): VolatilityFit {
  const har = fitHar(table.harInputs, split.train, outcomes.moves, outcomes.returns, alpha)
  const sigma = forecastSigma(har, table.harInputs)
  const targets = scaledTargets(outcomes.returns, sigma)
  const residualQuantiles = sigma.map((_, h) =>
    empiricalQuantiles(
      Float64Array.from(split.train, (i) => targets[i * HORIZONS + h]!),
      QUANTILES,
    ),
  )
  return { har, sigma, targets, residualQuantiles }
}

import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { DEFAULT_LOOKBACK, HORIZONS, candlesNeeded as neededWith } from '@shapecast/contracts/training-candles'
import type { TrainParams } from '@shapecast/contracts/trainings'
import { z } from 'zod'
import { chosenFeatures } from '../features/chosen-features.ts'
import { featureNames } from '../features/feature-columns.ts'

export const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const
/** Judged rows of the hold-out, below which a model is not judged and so not made. */
export const MINIMUM_HOLDOUT_ROWS = 200

/** Everything that decides what is trained from given candles. The same settings and candles give the same model. */
export const TrainSettings = z.object({
  seed: z.number().int(),
  epochs: z.number().int(),
  patience: z.number().int(),
  batch: z.number().int(),
  learningRate: z.number(),
  dropout: z.number(),
  weightDecay: z.number(),
  /** Candles in a window. */
  lookback: z.number().int(),
  lstmHidden: z.number().int(),
  transformerWidth: z.number().int(),
  transformerHeads: z.number().int(),
  transformerLayers: z.number().int(),
  /** Candles ahead at which the signal is given, 1 … HORIZONS. */
  signalHorizon: z.number().int(),
  /** Distance of P(up) from ½ above which the signal is BUY or SELL; null: the most confident third of validation. */
  signalThreshold: z.number().nullable(),
  /** Share of the rows before the hold-out on which training is stopped early and calibrated. */
  validationRatio: z.number(),
  /** Ridge penalty of the volatility model, in scikit-learn's meaning. */
  harAlpha: z.number(),
  /** Inverse penalty of the logistic regression, in scikit-learn's meaning. */
  logisticC: z.number(),
  /** The features that it learns from, by name; all of the timeframe's where none are named. */
  features: z.array(z.string()).optional(),
})
export type TrainSettings = z.infer<typeof TrainSettings>

/** The recipe, as measured on rolling windows of real candles: docs/model-recipe.md. */
export const DEFAULT_SETTINGS: Readonly<TrainSettings> = {
  seed: 1,
  epochs: 20,
  patience: 4,
  batch: 128,
  learningRate: 1e-3,
  dropout: 0.2,
  weightDecay: 1e-4,
  lookback: DEFAULT_LOOKBACK,
  lstmHidden: 48,
  transformerWidth: 32,
  transformerHeads: 2,
  transformerLayers: 2,
  signalHorizon: 1,
  signalThreshold: null,
  validationRatio: 0.13,
  harAlpha: 30,
  logisticC: 0.01,
}

/** Some settings; what is not given is the recipe's. */
export type GivenSettings = Partial<TrainSettings> | TrainParams

/** The recipe with the given settings in place of its own; `undefined` leaves the recipe's, unknown names are ignored. */
export function completeSettings(given: GivenSettings): TrainSettings {
  const chosen = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== undefined && (name in DEFAULT_SETTINGS || name === 'features'),
    ),
  )
  const settings: TrainSettings = { ...DEFAULT_SETTINGS, ...chosen }
  if (!Number.isInteger(settings.signalHorizon) || settings.signalHorizon < 1 || settings.signalHorizon > HORIZONS)
    throw new AppError('bad_input', `signalHorizon is a whole number from 1 to ${HORIZONS}.`, {
      field: 'signalHorizon',
    })
  if (!Number.isInteger(settings.lookback) || settings.lookback < 1)
    throw new AppError('bad_input', 'lookback is a whole number of candles, at least 1.', { field: 'lookback' })
  if (!(settings.validationRatio > 0 && settings.validationRatio < 0.5))
    throw new AppError('bad_input', 'validationRatio lies between 0 and 0.5.', { field: 'validationRatio' })
  const { transformerWidth: width, transformerHeads: heads } = settings
  if (!(width > 0) || width % heads !== 0)
    throw new AppError('bad_input', `transformerWidth is a multiple of its ${heads} heads.`, {
      field: 'transformerWidth',
    })
  return settings
}

/**
 * The complete settings of a training on a timeframe. The features stand in the order of their columns, and are not named
 * where they are all: the same choice, however it was written, gives the same model. Throws `bad_input`.
 */
export function settingsFor(timeframe: Timeframe, given: GivenSettings): TrainSettings {
  const { features, ...settings } = completeSettings(given)
  const chosen = chosenFeatures(timeframe, features)
  return chosen.length === featureNames(timeframe).length ? settings : { ...settings, features: chosen }
}

/** How many candles without long gaps a training with these settings needs. */
export const candlesNeeded = (settings: GivenSettings = {}): number => neededWith(completeSettings(settings).lookback)

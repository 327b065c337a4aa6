import { EngineVersions } from '@shapecast/contracts/engine-versions'
import { Evaluation, LearningCurve } from '@shapecast/contracts/evaluation'
import { Timeframe } from '@shapecast/contracts/timeframes'
import { z } from 'zod'
import { TrainSettings } from '../recipe/settings.ts'

const Range = z.object({
  /** Open times in ms of the first and the last candle at whose close a row's forecast is made. */
  from: z.number(),
  to: z.number(),
  rows: z.number().int(),
})
const Columns = z.object({ names: z.array(z.string()), mean: z.array(z.number()), sd: z.array(z.number()) })

const Network = LearningCurve.extend({ file: z.string() })

const Card = z.object({
  format: z.literal('shapecast-model'),
  formatVersion: z.literal(1),
  createdAtMs: z.number(),
  /** Absent from cards that were made before they told it. */
  engine: EngineVersions.optional(),
  source: z.object({ venue: z.string(), symbol: z.string(), timeframe: Timeframe }),
  settings: TrainSettings,
  horizons: z.number().int(),
  quantiles: z.array(z.number()),
  data: z.object({
    candles: z.number().int(),
    from: z.number(),
    to: z.number(),
    gaps: z.number().int(),
    missingCandles: z.number().int(),
    /** SHA-256 of the candles' columns. */
    hash: z.string(),
  }),
  ranges: z.object({ train: Range, validation: Range, holdout: Range }),
  features: Columns,
  har: z.object({
    inputs: Columns,
    /** Of one horizon each: weights by input, the intercept, and what turns mean |r| into the scale of r. */
    horizons: z.array(z.object({ weights: z.array(z.number()), intercept: z.number(), scale: z.number() })),
    /** Empirical quantiles of the scaled training returns, [horizons][quantiles]. */
    residualQuantiles: z.array(z.array(z.number())),
  }),
  logistic: z.object({ weights: z.array(z.number()), intercept: z.number() }),
  networks: z.record(z.string(), Network),
  calibration: z.object({ climatology: z.number(), weight: z.number() }),
  conformal: z.object({ file: z.string(), window: z.number().int(), rows: z.number().int() }),
  signal: z.object({ threshold: z.number(), roundTripCostBps: z.number() }),
  evaluation: Evaluation,
})

/** Whether the lists of a card have the lengths that they need to be worked with together. */
function isWhole(card: z.infer<typeof Card>): boolean {
  const { features, har, logistic, horizons, networks, quantiles } = card
  const rising = quantiles.every((q, i) => q > 0 && q < 1 && (i === 0 || q > quantiles[i - 1]!))
  const columnsFit = [features, har.inputs].every(
    ({ names, mean, sd }) => mean.length === names.length && sd.length === names.length && sd.every((s) => s > 0),
  )
  return (
    columnsFit &&
    rising &&
    Object.keys(networks).length > 0 &&
    quantiles.length === 5 &&
    logistic.weights.length === features.names.length &&
    har.horizons.length === horizons &&
    har.horizons.every(({ weights }) => weights.length === har.inputs.names.length) &&
    har.residualQuantiles.length === horizons &&
    har.residualQuantiles.every((row) => row.length === quantiles.length)
  )
}

/** Everything about a model that is not weights of its networks: plain JSON. */
export const ModelCard = Card.refine(isWhole, 'The parts of the card do not fit each other')
export type ModelCard = z.infer<typeof ModelCard>

import { Timeframe } from '@shapecast/contracts/timeframes'
import { z } from 'zod'
import { featureNames } from '../features/feature-columns.ts'
import { HORIZONS, QUANTILES } from '../settings.ts'

/** Columns of the candles themselves that a model may ask for beside our features. */
export const CANDLE_COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const

const Input = z.object({
  /** A feature of ours (docs/models.md) or a column of the candles. */
  name: z.string().max(60),
  /** The input is (value − mean) / sd, clipped at ± clip where that is given. */
  mean: z.number().default(0),
  sd: z.number().positive().default(1),
})

const Card = z.object({
  format: z.literal('shapecast-foreign-model'),
  formatVersion: z.literal(1),
  name: z.string().trim().min(1).max(80),
  author: z.string().trim().max(80).optional(),
  description: z.string().trim().max(2000).optional(),
  timeframe: Timeframe,
  /** Candles in a window. */
  lookback: z.number().int().min(1).max(256),
  /** Columns of a window in their order: `ours` is our whole feature list, with its standardisation left to the file. */
  inputs: z.union([z.literal('ours'), z.array(Input).min(1).max(64)]),
  clip: z.number().positive().nullable().default(null),
  /** Candles ahead that the quantiles are for: 1 … horizons. */
  horizons: z.literal(HORIZONS).default(HORIZONS),
  quantiles: z
    .array(z.number())
    .default([...QUANTILES])
    .refine((levels) => levels.join() === QUANTILES.join(), `The quantiles are ${QUANTILES.join(', ')}`),
  /** What a quantile of 1 means: a log return of 1, or one EWMA volatility (λ 0.97) times √h. */
  quantileUnit: z.enum(['log_return', 'sigma']).default('sigma'),
  /** Candles ahead at which up_logit calls the direction. */
  signalHorizon: z.number().int().min(1).max(HORIZONS).default(1),
  /** Distance of P(up) from ½ above which the signal is BUY or SELL. */
  signalThreshold: z.number().min(0).max(0.5).default(0.02),
  /** Open times in ms of the first and last candle that it has learnt from, where its author says so. */
  trained: z.object({ from: z.number(), to: z.number() }).optional(),
})

/** The columns that a card's model is given, by name. */
export const inputNames = (card: { inputs: 'ours' | readonly { name: string }[]; timeframe: Timeframe }): string[] =>
  card.inputs === 'ours' ? featureNames(card.timeframe) : card.inputs.map(({ name }) => name)

/** What comes with an ONNX file that was made elsewhere: what it wants to see and what its numbers mean. */
export const ForeignCard = Card.superRefine((card, context) => {
  const known = new Set<string>([...featureNames(card.timeframe), ...CANDLE_COLUMNS])
  const unknown = inputNames(card).filter((name) => !known.has(name))
  if (unknown.length > 0)
    context.addIssue({
      code: 'custom',
      path: ['inputs'],
      message: `There is no input named ${unknown.join(', ')} on ${card.timeframe}. Known are ${[...known].join(', ')}`,
    })
})
export type ForeignCard = z.infer<typeof ForeignCard>

import { z } from 'zod'
import { SymbolId } from './market.ts'
import { PlainName, PlainText } from './storable-text.ts'
import { Timeframe } from './timeframes.ts'

/** Candles ahead that every model forecasts, and the levels of its fan. */
export const FORECAST_HORIZONS = 8
export const FAN_QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const

/** Columns of the candles themselves that an uploaded model may ask for beside the features. */
export const CANDLE_COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const

/**
 * What a file says. `fan`: `quantiles` and `up_logit`. `classes`: probabilities of classes, of which the first is down and
 * the last is up, as classifiers are exported. `return`: one number, the expected return at the signal horizon.
 */
export const ForeignOutput = z.enum(['fan', 'classes', 'return'])

const Input = z.object({
  /** A feature (docs/model-recipe.md) or a column of the candles. */
  name: z.string().max(60),
  /** Of another coin, such as BTCUSDT for altcoins; of the one that is forecast where none is named. */
  symbol: SymbolId.optional(),
  /** Of the last closed candle of a larger timeframe; of the model's own where none is named. */
  timeframe: Timeframe.optional(),
  /** The input is (value − mean) / sd, clipped at ± clip where that is given. */
  mean: z.number().default(0),
  sd: z.number().positive().default(1),
})

/** Two prices of which one is reached first, at so many volatilities (σ √candles) from the close, within so many candles. */
const TripleBarrier = z.object({
  upSigma: z.number().positive().max(10),
  downSigma: z.number().positive().max(10),
  candles: z.number().int().min(1).max(FORECAST_HORIZONS),
})
export type TripleBarrier = z.infer<typeof TripleBarrier>

/** The last time that a Date can hold is in the year 275760. */
const TrainedTime = z.number().int().nonnegative().max(8.64e15, 'A time is in ms since 1970')

/** What comes with an ONNX file that was made elsewhere: what it wants to see and what its numbers mean. */
export const ForeignModelCard = z.object({
  format: z.literal('shapecast-foreign-model'),
  formatVersion: z.literal(1),
  name: PlainName.min(1).max(80),
  author: PlainName.max(80).optional(),
  description: PlainText.max(2000).optional(),
  timeframe: Timeframe,
  /** Candles in a window. */
  lookback: z.number().int().min(1).max(1024),
  /** Columns of a window in their order: `ours` is the whole feature list, with its standardisation left to the file. */
  inputs: z.union([z.literal('ours'), z.array(Input).min(1).max(64)]),
  clip: z.number().positive().nullable().default(null),
  output: ForeignOutput.default('fan'),
  /** Candles ahead that the quantiles are for: 1 … horizons. */
  horizons: z.literal(FORECAST_HORIZONS).default(FORECAST_HORIZONS),
  quantiles: z
    .array(z.number().gt(0).lt(1))
    .min(3)
    .max(99)
    .default([...FAN_QUANTILES])
    .refine((levels) => levels.every((level, k) => k === 0 || level > levels[k - 1]!), 'The quantiles must rise')
    .refine((levels) => levels[0]! <= 0.25 && levels.at(-1)! >= 0.75, 'The quantiles must reach from 0.25 to 0.75'),
  /** What a quantile of 1 means: a log return of 1, or one EWMA volatility (λ 0.97) times √h. */
  quantileUnit: z.enum(['log_return', 'sigma']).default('sigma'),
  /** Candles ahead at which up_logit calls the direction. */
  signalHorizon: z.number().int().min(1).max(FORECAST_HORIZONS).default(1),
  /** The label that it was trained on, where that is not the direction at the signal horizon: it is judged by both. */
  tripleBarrier: TripleBarrier.optional(),
  /** Distance of P(up) from ½ above which the signal is BUY or SELL. */
  signalThreshold: z.number().min(0).max(0.5).default(0.02),
  /** Open times in ms of the first and last candle that it has learnt from, where its author says so. */
  trained: z
    .object({ from: TrainedTime, to: TrainedTime })
    .refine(({ from, to }) => from <= to, { path: ['to'], message: 'trained.to is not earlier than trained.from' })
    .optional(),
  /** Until when the corpus reaches that it has learnt from, ms, whatever markets are in it: all before counts as seen. */
  corpusUntil: TrainedTime.optional(),
})
export type ForeignModelCard = z.infer<typeof ForeignModelCard>

/** Another series that a model looks at; without a symbol the coin that it forecasts. */
export const BesideSeries = z.object({ symbol: SymbolId.nullable(), timeframe: Timeframe })
export type BesideSeries = z.infer<typeof BesideSeries>

/** The series of an input; null where it is the one that is forecast. */
export const besideOfInput = (input: z.infer<typeof Input>, own: Timeframe): BesideSeries | null =>
  input.symbol === undefined && (input.timeframe ?? own) === own
    ? null
    : { symbol: input.symbol ?? null, timeframe: input.timeframe ?? own }

/** The series that a card's model looks at beside its own, each once. */
export function besideOf({ inputs, timeframe }: Pick<ForeignModelCard, 'inputs' | 'timeframe'>): BesideSeries[] {
  if (inputs === 'ours') return []
  const found = inputs.map((input) => besideOfInput(input, timeframe)).filter((series) => series !== null)
  return [...new Map(found.map((series) => [`${series.symbol} ${series.timeframe}`, series])).values()]
}

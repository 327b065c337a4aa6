import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { ModelVersion, type Signal } from './ml.ts'
import { type PredictionRow, PredictionsQuery } from './predictions.ts'

/** What a chart draws of a prediction. */
export type ChartPrediction = Pick<
  PredictionRow,
  | 'timestamp'
  | 'aligned_ts'
  | 'signal'
  | 'confidence'
  | 'lstm_prediction'
  | 'transformer_prediction'
  | 'version'
  | 'hash'
  | 'source'
  | 'madeAt'
  | 'trainedOn'
>

const SIGNAL_LETTERS = { BUY: 'B', SELL: 'S', HOLD: 'H' } as const satisfies Record<Signal, string>
const SIGNAL_OF: Readonly<Record<string, Signal>> = { B: 'BUY', S: 'SELL', H: 'HOLD' }
const PRICE_DIGITS = 7
const CONFIDENCE_DIGITS = 4

/** One column a field, all of the same length: 5,000 rows take 47 kB gzipped, as objects 350 kB. */
export const PredictionColumns = z.object({
  /** Who made them, and for each row its place in that list. */
  makers: z.array(z.object({ version: ModelVersion, hash: z.string() })),
  maker: z.array(z.number().int()),
  /** Ms from a row's `timestamp` to its `aligned_ts`. */
  stepMs: z.number(),
  /** Ms: the first as it is, then from each row to the next. */
  timestamp: z.array(z.number()),
  madeAt: z.array(z.number()),
  /** A letter a row: B, S or H. */
  signal: z.string(),
  /** 0 to 1, four decimals. */
  confidence: z.array(z.number()),
  /** Quote, seven significant digits. */
  lstm_prediction: z.array(z.number()),
  transformer_prediction: z.array(z.number()),
  /** A letter a row: l for live, b for backfilled. */
  source: z.string(),
  /** A digit a row: 1 or 0. */
  trainedOn: z.string(),
})
export type PredictionColumns = z.infer<typeof PredictionColumns>

export const predictionColumns = tradingEndpoint('GET /api/ml/predictions/columns', {
  publicPath: '/public/ml/predictions/columns',
  summary: 'The same forecasts in columns, with what a chart draws of them. Times are in ms.',
  query: PredictionsQuery,
  reply: PredictionColumns,
  errors: ['unknown_symbol', 'not_found', 'model_not_trained'],
})

const differences = (values: readonly number[]): number[] => values.map((value, i) => value - (values[i - 1] ?? 0))

function sums(steps: readonly number[]): number[] {
  let sum = 0
  return steps.map((step) => (sum += step))
}

const price = (value: number): number => Number(value.toPrecision(PRICE_DIGITS))

/** Rows as columns; `stepMs` is the length of their candles. */
export function toColumns(rows: readonly ChartPrediction[], stepMs: number): PredictionColumns {
  const places = new Map<string, number>()
  const makers: PredictionColumns['makers'] = []
  const maker = rows.map(({ version, hash }) => {
    const key = `${version} ${hash}`
    const place = places.get(key) ?? makers.push({ version, hash }) - 1
    places.set(key, place)
    return place
  })
  return {
    makers,
    maker,
    stepMs,
    timestamp: differences(rows.map((row) => row.timestamp)),
    madeAt: differences(rows.map((row) => row.madeAt)),
    signal: rows.map((row) => SIGNAL_LETTERS[row.signal]).join(''),
    confidence: rows.map((row) => Number(row.confidence.toFixed(CONFIDENCE_DIGITS))),
    lstm_prediction: rows.map((row) => price(row.lstm_prediction)),
    transformer_prediction: rows.map((row) => price(row.transformer_prediction)),
    source: rows.map((row) => (row.source === 'live' ? 'l' : 'b')).join(''),
    trainedOn: rows.map((row) => (row.trainedOn ? '1' : '0')).join(''),
  }
}

/** The rows that were put into columns. */
export function fromColumns(columns: PredictionColumns): ChartPrediction[] {
  const madeAt = sums(columns.madeAt)
  return sums(columns.timestamp).map((timestamp, i) => ({
    ...columns.makers[columns.maker[i]!]!,
    timestamp,
    aligned_ts: timestamp + columns.stepMs,
    madeAt: madeAt[i]!,
    signal: SIGNAL_OF[columns.signal[i]!]!,
    confidence: columns.confidence[i]!,
    lstm_prediction: columns.lstm_prediction[i]!,
    transformer_prediction: columns.transformer_prediction[i]!,
    source: columns.source[i] === 'l' ? 'live' : 'backfilled',
    trainedOn: columns.trainedOn[i] === '1',
  }))
}

import { z } from 'zod'
import { fileOf, tradingEndpoint } from './endpoint.ts'
import { SymbolId, VenueName } from './market.ts'
import { Timeframe } from './timeframes.ts'
import { epochMs } from './units.ts'

const Time = z.coerce.number().int().nonnegative()

/** What a range holds; `first`, `last` (open times in ms) and `example` are null where it holds nothing. */
export const DatasetPreview = z.object({
  symbol: SymbolId,
  timeframe: Timeframe,
  candles: z.number().int(),
  first: z.number().nullable(),
  last: z.number().nullable(),
  /** Of the first candle. */
  example: z.object({ open: z.number(), close: z.number() }).nullable(),
})
export type DatasetPreview = z.infer<typeof DatasetPreview>

export const previewDataset = tradingEndpoint('GET /api/ml/dataset/preview', {
  summary: 'How many candles a range holds, from when to when.',
  query: z
    .object({ symbol: SymbolId, timeframe: Timeframe.default('1h'), from: Time.optional(), to: Time.optional() })
    .refine((q) => q.from === undefined || q.to === undefined || q.from <= q.to, {
      path: ['to'],
      message: 'to must not be earlier than from',
    }),
  reply: DatasetPreview,
  errors: ['unknown_symbol'],
})

/** The rows of a dataset: 400 fewer than the candles, because the newest 400 judge models and train none. */
const Rows = (schema: z.ZodNumber | z.ZodCoercedNumber) =>
  schema.int().min(1).max(100_000, 'At most 100000 rows a dataset: choose a shorter range, or a larger timeframe')

export const exportDataset = tradingEndpoint('GET /api/ml/dataset/export', {
  summary:
    'A zip of `limit` candles before the newest 400, with their features, as CSV and Parquet, and a README and a card.',
  query: z.object({
    symbol: SymbolId,
    timeframe: Timeframe.default('1h'),
    limit: Rows(z.coerce.number()).default(4600),
    /** The hold-out of 400 is counted back from here, ms; from the newest candle where it is not given. */
    to: Time.optional(),
    /** Instead of `to`: the open time of the last row itself, ms, as a saved dataset has it. */
    last: Time.optional(),
  }),
  ...fileOf('application/zip'),
  errors: ['unknown_symbol', 'no_candles', 'too_few_candles', 'too_many_requests'],
})

export const Dataset = z.object({
  id: z.uuid(),
  venue: VenueName,
  symbol: SymbolId,
  timeframe: Timeframe,
  rows: z.number().int(),
  /** Open times in ms of its first and last candle. */
  from: epochMs(),
  to: epochMs(),
  /** SHA-256 of its candles: the same range with other prices is another dataset. */
  hash: z.string(),
  /** The one that its owner works with. */
  active: z.boolean(),
  createdAt: epochMs(),
})
export type Dataset = z.infer<typeof Dataset>

export const datasets = tradingEndpoint('GET /api/ml/datasets', {
  summary: "The caller's datasets, the newest first.",
  reply: z.array(Dataset),
})

export const activeDataset = tradingEndpoint('GET /api/ml/datasets/active', {
  summary: 'The dataset that the caller works with; null where none is chosen.',
  reply: Dataset.nullable(),
})

export const saveDataset = tradingEndpoint('POST /api/ml/dataset/save', {
  summary: 'Keep the definition of a dataset: its series, range and hash. The same one again gives the same id.',
  touches: [datasets, activeDataset],
  body: z.object({
    symbol: SymbolId,
    timeframe: Timeframe.default('1h'),
    limit: Rows(z.number()),
    to: epochMs().int().nonnegative().optional(),
  }),
  reply: Dataset,
  errors: ['unknown_symbol', 'no_candles', 'too_few_candles', 'unprocessable'],
})

export const chooseDataset = tradingEndpoint('POST /api/ml/datasets/active', {
  summary: 'Choose the dataset to work with.',
  touches: [datasets, activeDataset],
  body: z.object({ id: z.uuid() }),
  reply: Dataset,
  errors: ['not_found'],
})

export const leaveDataset = tradingEndpoint('DELETE /api/ml/datasets/active', {
  summary: 'Work with no saved dataset any more; it stays in the list.',
  touches: [datasets, activeDataset],
})

export const deleteDataset = tradingEndpoint('DELETE /api/ml/datasets/:id', {
  summary: "Forget one of the caller's datasets. Its candles stay.",
  touches: [datasets, activeDataset],
})

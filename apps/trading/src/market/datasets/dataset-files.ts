import { Readable } from 'node:stream'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { HOLDOUT_CANDLES, WARMUP_CANDLES } from '@shapecast/contracts/training-candles'
import { CANDLE_COLUMNS, type Candles, sliceCandles } from '@shapecast/engine/candles'
import { featureNames } from '@shapecast/ml/features/feature-columns'
import { buildFeatureTable } from '@shapecast/ml/features/feature-table'
import { candlesHash } from '@shapecast/ml/recipe/data-hash'
import { ZipFile } from 'yazl'
import { csvPieces, type FileColumn, parquetOf } from '../../ground/table-file.ts'
import type { DatasetCandles } from './dataset-range.ts'

export interface DatasetMeta {
  venue: string
  symbol: string
  timeframe: Timeframe
  createdAtMs: number
}

/** A dataset as it is made: its rows are the candles from index `first` on. */
export interface ZipOrder extends Pick<DatasetCandles, 'withHistory' | 'first'> {
  meta: DatasetMeta
}

const iso = (ms: number): string => new Date(ms).toISOString()

const readme = (
  { venue, symbol, timeframe }: DatasetMeta,
  rows: Candles,
): string => `# ${symbol} ${timeframe} from ${venue}

${rows.length} candles from ${iso(rows.ts[0]!)} to ${iso(rows.ts[rows.length - 1]!)}, oldest first. A candle is named by the
time at which it opens, in milliseconds since 1970 UTC. The ${HOLDOUT_CANDLES} candles after the last one are left out on
purpose: models are judged by them, so that anyone who trains on this file can be judged by the same.

- candles.csv, candles.parquet: timestamp, open, high, low, close (quote), volume (base).
- features.csv, features.parquet: the inputs that models of this timeframe are given, one row a candle, before they are
  brought to mean 0 and deviation 1. Each row is made from candles up to its own only. The first ${WARMUP_CANDLES} candles of
  a series have none: empty in CSV, NaN in Parquet.
- card.json: the same facts for programs, with the SHA-256 of the candles.
`

/**
 * A zip of a dataset, made as it is read: candles and features as CSV and Parquet, a README and a card. The same candles
 * give the same content.
 */
export function datasetZip({ meta, withHistory, first }: ZipOrder): NodeJS.ReadableStream {
  const rows = sliceCandles(withHistory, first)
  const time: FileColumn = { name: 'timestamp', kind: 'ms', values: rows.ts }
  const number = (name: string, values: Float64Array): FileColumn => ({ name, kind: 'number', values })
  const candles = [time, ...CANDLE_COLUMNS.slice(1).map((name) => number(name, rows[name]))]
  const names = featureNames(meta.timeframe)
  const table = buildFeatureTable(withHistory, meta.timeframe)
  const features = [time, ...names.map((name, c) => number(name, table.features[c]!.subarray(first)))]
  const card = {
    format: 'shapecast-dataset',
    formatVersion: 1,
    ...meta,
    candles: rows.length,
    from: rows.ts[0],
    to: rows.ts[rows.length - 1],
    heldOut: HOLDOUT_CANDLES,
    hash: candlesHash(rows),
    features: names,
  }
  const zip = new ZipFile()
  const at = { mtime: new Date(meta.createdAtMs) }
  const addText = (name: string, text: string) => zip.addBuffer(Buffer.from(text), name, at)
  const addCsv = (name: string, columns: FileColumn[]) =>
    zip.addReadStreamLazy(name, at, (give) => give(null, Readable.from(csvPieces(columns), { objectMode: false })))
  addText('README.md', readme(meta, rows))
  addText('card.json', `${JSON.stringify(card, null, 2)}\n`)
  addCsv('candles.csv', candles)
  zip.addBuffer(parquetOf(candles), 'candles.parquet', at)
  addCsv('features.csv', features)
  zip.addBuffer(parquetOf(features), 'features.parquet', at)
  zip.end()
  return zip.outputStream
}

import { Readable } from 'node:stream'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { HOLDOUT_CANDLES, WARMUP_CANDLES } from '@shapecast/contracts/training-candles'
import { featureNames } from '@shapecast/ml/features/feature-columns'
import { buildFeatureTable } from '@shapecast/ml/features/feature-table'
import { candlesHash } from '@shapecast/ml/recipe/data-hash'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { ZipFile } from 'yazl'
import type { DatasetCandles } from './dataset-range.ts'

interface Column {
  name: string
  values: Float64Array
}

const ROWS_A_CHUNK = 2000

/** CSV with a header; a value that is not known is empty. Numbers are written so that they read back the same. */
function* csvText(columns: readonly Column[], rows: number): Generator<string> {
  yield `${columns.map((column) => column.name).join(',')}\n`
  for (let at = 0; at < rows; at += ROWS_A_CHUNK) {
    let text = ''
    for (let i = at; i < Math.min(rows, at + ROWS_A_CHUNK); i++) {
      columns.forEach(({ values }, c) => {
        const value = values[i]!
        text += `${c === 0 ? '' : ','}${Number.isNaN(value) ? '' : value}`
      })
      text += '\n'
    }
    yield text
  }
}

/** The first column, open times in ms, as 64-bit integers; the others as doubles, NaN where a value is not known. */
const parquetBytes = ([time, ...columns]: readonly Column[]): Buffer =>
  Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: time!.name, data: BigInt64Array.from(time!.values, BigInt), type: 'INT64' },
        ...columns.map(({ name, values }) => ({ name, data: values, type: 'DOUBLE' as const })),
      ],
    }),
  )

export interface DatasetMeta {
  venue: string
  symbol: string
  timeframe: Timeframe
  createdAtMs: number
}

const iso = (ms: number): string => new Date(ms).toISOString()

const readme = (
  { venue, symbol, timeframe }: DatasetMeta,
  { rows }: DatasetCandles,
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
export function datasetZip(meta: DatasetMeta, dataset: DatasetCandles): NodeJS.ReadableStream {
  const { withHistory, first, rows } = dataset
  const time = { name: 'timestamp', values: rows.ts }
  const candles: Column[] = [
    time,
    { name: 'open', values: rows.open },
    { name: 'high', values: rows.high },
    { name: 'low', values: rows.low },
    { name: 'close', values: rows.close },
    { name: 'volume', values: rows.volume },
  ]
  const names = featureNames(meta.timeframe)
  const table = buildFeatureTable(withHistory, meta.timeframe)
  const features: Column[] = [time, ...names.map((name, c) => ({ name, values: table.features[c]!.subarray(first) }))]
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
  const addCsv = (name: string, columns: Column[]) =>
    zip.addReadStreamLazy(name, at, (give) =>
      give(null, Readable.from(csvText(columns, rows.length), { objectMode: false })),
    )
  addText('README.md', readme(meta, dataset))
  addText('card.json', `${JSON.stringify(card, null, 2)}\n`)
  addCsv('candles.csv', candles)
  zip.addBuffer(parquetBytes(candles), 'candles.parquet', at)
  addCsv('features.csv', features)
  zip.addBuffer(parquetBytes(features), 'features.parquet', at)
  zip.end()
  return zip.outputStream
}

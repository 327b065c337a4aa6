import { Readable } from 'node:stream'
import type { FILE_FORMATS } from '@shapecast/contracts/backtest'
import { csvCell } from '@shapecast/contracts/csv'
import { parquetWriteBuffer } from 'hyparquet-writer'

/**
 * A column of a table as a file has it: `ms` are whole milliseconds since 1970 UTC as they are, `time` the same for people
 * and data frames, times and numbers are NaN where they are not known.
 */
export type FileColumn =
  | { readonly name: string; readonly kind: 'ms' | 'time' | 'number'; readonly values: ArrayLike<number> }
  | { readonly name: string; readonly kind: 'text'; readonly values: readonly string[] }

/** A column by what a row has in it: a text, or a time or a number, of which what is not known becomes NaN. */
export type ColumnOf<Row> = readonly [
  name: string,
  kind: 'time' | 'number' | 'text',
  of: (row: Row, i: number) => number | string | null | undefined,
]

export const columnsOf = <Row>(rows: readonly Row[], columns: readonly ColumnOf<Row>[]): FileColumn[] =>
  columns.map(([name, kind, of]) => {
    const values = rows.map((row, i) => of(row, i) ?? Number.NaN)
    return { name, kind, values } as FileColumn
  })

const ROWS_A_CHUNK = 2000

const cellOf = ({ kind, values }: FileColumn, i: number): string => {
  const value = values[i]!
  if (typeof value === 'number' && Number.isNaN(value)) return ''
  return kind === 'time' ? new Date(value as number).toISOString() : String(value)
}

/** CSV with a header, in pieces. Times are ISO 8601; numbers are written so that they read back the same. No text below the header may need quotes. */
export function* csvPieces(columns: readonly FileColumn[]): Generator<string> {
  const rows = columns[0]!.values.length
  yield `${columns.map(({ name }) => csvCell(name)).join(',')}\n`
  for (let at = 0; at < rows; at += ROWS_A_CHUNK) {
    let text = ''
    for (let i = at; i < Math.min(rows, at + ROWS_A_CHUNK); i++) {
      for (let c = 0; c < columns.length; c++) text += `${c === 0 ? '' : ','}${cellOf(columns[c]!, i)}`
      text += '\n'
    }
    yield text
  }
}

/** Parquet: `ms` as 64-bit integers, `time` as timestamps, numbers as doubles with NaN where one is not known. */
export const parquetOf = (columns: readonly FileColumn[]): Buffer =>
  Buffer.from(
    parquetWriteBuffer({
      columnData: columns.map(({ name, kind, values }) => {
        if (kind === 'text') return { name, data: [...values], type: 'STRING' as const }
        if (kind === 'number') return { name, data: Float64Array.from(values), type: 'DOUBLE' as const }
        if (kind === 'ms') return { name, data: BigInt64Array.from(Array.from(values), BigInt), type: 'INT64' as const }
        return {
          name,
          data: Array.from(values, (ms) => (Number.isNaN(ms) ? null : new Date(ms))),
          type: 'TIMESTAMP' as const,
        }
      }),
    }),
  )

export type FileFormat = (typeof FILE_FORMATS)[number]

/** A table as a file of its name. */
export const tableFile = (name: string, columns: readonly FileColumn[], format: FileFormat) => ({
  name: `${name}.${format}`,
  content: Readable.from(format === 'csv' ? csvPieces(columns) : [parquetOf(columns)], { objectMode: false }),
})

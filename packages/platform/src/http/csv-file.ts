import { Readable } from 'node:stream'
import { csvOf } from '@shapecast/contracts/csv'
import type { FileToKeep } from './register-endpoint.ts'

/** By its head, what a column has of a row; in their order. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>

/** A time as files have it. */
export const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** A table that is there whole as a file. */
export function csvTable<Row>(name: string, columns: CsvColumns<Row>, rows: readonly Row[]) {
  const cells = Object.values(columns)
  return { name, content: csvOf([Object.keys(columns), ...rows.map((row) => cells.map((cell) => cell(row)))]) }
}

/** A table as a file: its heads, then rows as they are read, each part from the last row before it on. */
export function csvFile<Row>(
  name: string,
  columns: CsvColumns<Row>,
  next: (after: Row | null) => Promise<readonly Row[]>,
): FileToKeep {
  const cells = Object.values(columns)
  async function* inParts(): AsyncGenerator<string> {
    yield csvOf([Object.keys(columns)])
    for (let rows = await next(null); rows.length > 0; rows = await next(rows.at(-1)!))
      yield csvOf(rows.map((row) => cells.map((cell) => cell(row))))
  }
  return { name, content: Readable.from(inParts()) }
}

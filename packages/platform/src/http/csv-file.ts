import { Readable } from 'node:stream'
import { csvOf } from '@shapecast/contracts/csv'
import type { FileToKeep } from './register-endpoint.ts'

type Cells = readonly (string | number | null)[]

/** A table as a file: its heads, then rows as they are read, each part from the last row before it on. */
export function csvFile<Row>(
  name: string,
  heads: readonly string[],
  next: (after: Row | null) => Promise<readonly Row[]>,
  cellsOf: (row: Row) => Cells,
): FileToKeep {
  async function* inParts(): AsyncGenerator<string> {
    yield csvOf([heads])
    for (let rows = await next(null); rows.length > 0; rows = await next(rows.at(-1)!)) yield csvOf(rows.map(cellsOf))
  }
  return { name, content: Readable.from(inParts()) }
}

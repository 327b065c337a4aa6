import { writeFileSync } from 'node:fs'
import { csvPieces, type FileColumn, parquetOf } from '@shapecast/trading/ground/table-file'
import { type Command, Option } from 'commander'
import { note, print } from './output.ts'

export interface TableOptions {
  json?: true
  csv?: true
  parquet?: string
}

/** `rows`: what the table has a row of. */
export const addTableOptions = (command: Command, rows: string): Command =>
  command
    .option('--json', 'print the whole result as JSON')
    .addOption(new Option('--csv', `print ${rows} as CSV`).conflicts('json'))
    .option('--parquet <file>', `write ${rows} to a Parquet file`)

/** Prints a result as it was asked for. */
export function printResult(
  { json, csv, parquet }: TableOptions,
  shown: { json: () => string; columns: () => FileColumn[]; text: () => string },
): void {
  if (parquet !== undefined) {
    writeFileSync(parquet, parquetOf(shown.columns()))
    note(`Written to ${parquet}.`)
  }
  print(json ? shown.json() : csv ? [...csvPieces(shown.columns())].join('').trimEnd() : shown.text())
}

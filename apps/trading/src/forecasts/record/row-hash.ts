import { createHash } from 'node:crypto'
import { getTableColumns } from 'drizzle-orm'
import { type SealedRow, sealedPredictions } from './tables.ts'

/** What the first row takes for the one before it. */
export const GENESIS = '0'.repeat(64)

/** Everything of a row that its hash vouches for. */
export type Sealable = Omit<SealedRow, 'rowHash'>

/** All of a row but its own hash, in the order in which the table has it: each hash is over this order. */
const COLUMNS = Object.keys(getTableColumns(sealedPredictions)).filter(
  (name) => name !== 'rowHash',
) as (keyof Sealable)[]

/** SHA-256 (hex) over a row's values as a JSON array; numbers as their shortest exact decimals. */
export const rowHash = (row: Sealable): string =>
  createHash('sha256')
    .update(JSON.stringify(COLUMNS.map((name) => row[name])))
    .digest('hex')

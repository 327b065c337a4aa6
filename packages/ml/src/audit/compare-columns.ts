import type { NamedColumns } from './audited-pipeline.ts'

export interface ColumnDifference {
  /** Names of the columns that differ. */
  columns: string[]
  /** The first candle at which one does, counted from the first compared; −1 where none does. */
  firstRow: number
  /** Numbers compared, and the largest difference relative to the larger number. */
  compared: number
  largest: number
}

function distance(a: number, b: number): number {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return 0
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.POSITIVE_INFINITY
  return Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b))
}

/** Where two sets of columns part over their first `rows` candles; `of` says how many candles each set's columns have. */
export function compareColumns(
  a: { columns: NamedColumns; of: number; skip?: number },
  b: { columns: NamedColumns; of: number; skip?: number },
  rows: number,
  tolerance: number,
): ColumnDifference {
  const found: ColumnDifference = { columns: [], firstRow: -1, compared: 0, largest: 0 }
  for (const [name, left] of Object.entries(a.columns)) {
    const right = b.columns[name]
    if (right === undefined) throw new RangeError(`The column ${name} is missing on other candles.`)
    const [wide, other] = [left.length / a.of, right.length / b.of]
    if (wide !== other) throw new RangeError(`The column ${name} has ${wide} and ${other} numbers a candle.`)
    const [skipA, skipB] = [(a.skip ?? 0) * wide, (b.skip ?? 0) * wide]
    let first = -1
    for (let k = 0; k < rows * wide; k++) {
      const d = distance(left[skipA + k]!, right[skipB + k]!)
      found.compared++
      if (d > found.largest) found.largest = d
      if (d > tolerance && first < 0) first = Math.floor(k / wide)
    }
    if (first < 0) continue
    found.columns.push(name)
    found.firstRow = found.firstRow < 0 ? first : Math.min(found.firstRow, first)
  }
  return found
}

/** The rows that windows end at; `to` is not among them. */
export type RowSelection = Int32Array | { from: number; to: number }

/** How many rows are chosen. */
export function rowCount(rows: RowSelection): number {
  return rows instanceof Int32Array ? rows.length : Math.max(0, rows.to - rows.from)
}

/** The chosen row of this index. */
export function rowAt(rows: RowSelection, index: number): number {
  return rows instanceof Int32Array ? rows[index]! : rows.from + index
}

export interface FeatureTable {
  /** Row-major [rows × features]. */
  features: Float32Array
  featureCount: number
}

/** Throws a RangeError where a window would reach before the first row or past the last. */
export function checkRows({ features, featureCount }: FeatureTable, lookback: number, rows: RowSelection): void {
  const available = features.length / featureCount
  for (let i = 0; i < rowCount(rows); i++) {
    const row = rowAt(rows, i)
    if (row < lookback - 1 || row >= available) {
      throw new RangeError(`A window of ${lookback} cannot end at row ${row} of ${available}.`)
    }
  }
}

/**
 * Copies the windows that end at rows `from` … of a selection into `into` [windows × lookback × features], as many as
 * fit or are left, and returns how many those are. Rows of a window lie next to each other, so each is one copy.
 */
export function gatherWindows(
  { features, featureCount }: FeatureTable,
  lookback: number,
  rows: RowSelection,
  from: number,
  into: Float32Array,
): number {
  const size = lookback * featureCount
  const count = Math.min(into.length / size, rowCount(rows) - from)
  for (let i = 0; i < count; i++) {
    const end = (rowAt(rows, from + i) + 1) * featureCount
    into.set(features.subarray(end - size, end), i * size)
  }
  return count
}

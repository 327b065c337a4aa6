export interface Standardisation {
  mean: number[]
  /** Population standard deviation; 1 for a column that does not vary. */
  sd: number[]
}

/** Standardised features lie within ± this many standard deviations. */
export const CLIP = 5

/** Mean and standard deviation of each column over the given rows. */
export function fitStandardisation(columns: readonly Float64Array[], rows: Int32Array): Standardisation {
  const mean = columns.map((column) => {
    let sum = 0
    for (const row of rows) sum += column[row]!
    return sum / rows.length
  })
  const sd = columns.map((column, c) => {
    let squares = 0
    for (const row of rows) squares += (column[row]! - mean[c]!) ** 2
    const deviation = Math.sqrt(squares / rows.length)
    return deviation > 1e-12 ? deviation : 1
  })
  return { mean, sd }
}

/** Column `c` of a row-major matrix, from row `from` on, standardised and clipped; 0 (the mean) where a row is warm-up. */
export function placeStandardised(
  matrix: Float32Array,
  c: number,
  column: Float64Array,
  { mean, sd }: Standardisation,
  from = 0,
): void {
  const width = mean.length
  const [m, s] = [mean[c]!, 1 / sd[c]!]
  for (let i = from, at = from * width + c; i < column.length; i++, at += width) {
    const z = (column[i]! - m) * s
    matrix[at] = z > CLIP ? CLIP : z < -CLIP ? -CLIP : Number.isNaN(z) ? 0 : z
  }
}

/** Row-major [rows × columns], standardised and clipped; 0 (the mean) where a row is warm-up. */
export function standardise(columns: readonly Float64Array[], standardisation: Standardisation): Float32Array {
  const matrix = new Float32Array((columns[0]?.length ?? 0) * columns.length)
  columns.forEach((column, c) => {
    placeStandardised(matrix, c, column, standardisation)
  })
  return matrix
}

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

/** Row-major [rows × columns], standardised and clipped; 0 (the mean) where a row is warm-up. */
export function standardise(columns: readonly Float64Array[], { mean, sd }: Standardisation): Float32Array {
  const width = columns.length
  const rows = columns[0]?.length ?? 0
  const matrix = new Float32Array(rows * width)
  columns.forEach((column, c) => {
    const [m, s] = [mean[c]!, 1 / sd[c]!]
    for (let i = 0, at = c; i < rows; i++, at += width) {
      const z = (column[i]! - m) * s
      matrix[at] = z > CLIP ? CLIP : z < -CLIP ? -CLIP : Number.isNaN(z) ? 0 : z
    }
  })
  return matrix
}

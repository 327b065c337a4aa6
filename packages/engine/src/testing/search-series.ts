/** The uniform numbers of s ← 48271 · s mod 2147483647: a stream that any language reproduces. */
export function lehmer(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Trials of which each row is 0.02 (u + u + u − 1.5) + 0.0005, row by row. */
export function uniformTrials(seed: number, rows: number, trials: number): Float64Array[] {
  const next = lehmer(seed)
  const series = Array.from({ length: trials }, () => new Float64Array(rows))
  for (let row = 0; row < rows; row++)
    for (const of of series) of[row] = 0.02 * (next() + next() + next() - 1.5) + 0.0005
  return series
}

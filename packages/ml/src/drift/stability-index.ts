/** Bins of a column: values up to and with each edge, and those above the last. */
export type BinEdges = readonly number[]

const BINS = 10

/**
 * The deciles of the values as edges of bins, equal ones merged. A column that hardly ever differs from one value gets
 * three bins: below, at and above it. Throws nothing; values must not be empty.
 */
export function decileEdges(values: Float64Array): BinEdges {
  const sorted = values.toSorted()
  const deciles = Array.from({ length: BINS - 1 }, (_, i) => sorted[Math.floor(((i + 1) * sorted.length) / BINS)]!)
  const edges = [...new Set(deciles)]
  const [only] = edges
  if (edges.length > 1 || only === undefined) return edges
  return [only - Math.max(Number.MIN_VALUE, Math.abs(only) * 1e-12), only]
}

/** The bin that a value lies in, 0 … edges.length. */
export function binOf(edges: BinEdges, value: number): number {
  let bin = 0
  while (bin < edges.length && value > edges[bin]!) bin++
  return bin
}

/** How many of the values lie in each bin. */
export function countBins(edges: BinEdges, values: Float64Array): Float64Array {
  const counts = new Float64Array(edges.length + 1)
  for (const value of values) counts[binOf(edges, value)]!++
  return counts
}

/** An empty bin counts as half a value, so that its logarithm is known; a bin that is empty on both sides says nothing. */
const FLOOR = 0.5

/**
 * Population stability index, Σ (a − e) ln(a / e) over bins with shares a and e (Siddiqi, Credit Risk Scorecards, 2006,
 * who reads below 0.1 as stable and above 0.25 as changed; the symmetrised divergence of Jeffreys, 1946). 0 where either
 * side has no values.
 */
export function stabilityIndex(expected: ArrayLike<number>, actual: ArrayLike<number>): number {
  let [expectedTotal, actualTotal] = [0, 0]
  for (let bin = 0; bin < expected.length; bin++) {
    expectedTotal += expected[bin]!
    actualTotal += actual[bin]!
  }
  if (expectedTotal === 0 || actualTotal === 0) return 0
  let index = 0
  for (let bin = 0; bin < expected.length; bin++) {
    if (expected[bin] === 0 && actual[bin] === 0) continue
    const e = Math.max(FLOOR, expected[bin]!) / expectedTotal
    const a = Math.max(FLOOR, actual[bin]!) / actualTotal
    index += (a - e) * Math.log(a / e)
  }
  return index
}

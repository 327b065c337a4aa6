/** Quantiles of the values that are numbers, by linear interpolation (type 7 of Hyndman and Fan, 1996). */
export function empiricalQuantiles(values: ArrayLike<number>, probabilities: readonly number[]): number[] {
  const sorted = Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort()
  if (sorted.length === 0) return probabilities.map(() => Number.NaN)
  return probabilities.map((p) => {
    const at = p * (sorted.length - 1)
    const below = Math.floor(at)
    const low = sorted[below]!
    return low + (at - below) * ((sorted[below + 1] ?? low) - low)
  })
}

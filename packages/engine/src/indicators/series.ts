/** A column of `length` whose first `warmUp` values are NaN: what an indicator says while it warms up. */
export const warmingSeries = (length: number, warmUp: number): Float64Array =>
  new Float64Array(length).fill(Number.NaN, 0, warmUp)

/** The index of the first value that is a number; the length if none is. */
export function firstDefined(x: Float64Array): number {
  let i = 0
  while (i < x.length && Number.isNaN(x[i]!)) i++
  return i
}

/** Throws a RangeError unless `period` is a whole number of candles, at least `min`. */
export function assertPeriod(period: number, min = 1): void {
  if (!Number.isInteger(period) || period < min)
    throw new RangeError(`A period is a whole number of candles, at least ${min}; got ${period}.`)
}

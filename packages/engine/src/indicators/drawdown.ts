/** How far a value lies below the peak before it, percent of the peak, 0 or positive; 0 where the peak is nothing. */
export const drawdownPct = (value: number, peak: number): number => (peak > 0 ? 100 * (1 - value / peak) : 0)

/** At each value how far it lies below the highest so far, percent, 0 or positive. The first peak is `start`. */
export function drawdownsPct(values: ArrayLike<number>, start: number): Float64Array {
  let peak = start
  return Float64Array.from(values, (value) => {
    peak = Math.max(peak, value)
    return drawdownPct(value, peak)
  })
}

/**
 * The deepest fall from a peak among the values `from` (included) to `to` (left out), percent, 0 or positive. The first peak
 * is `start`: what was there before them. Magdon-Ismail and Atiya, Maximum Drawdown, Risk 17, 2004.
 */
export function maxDrawdownPct(values: ArrayLike<number>, start: number, from = 0, to = values.length): number {
  let peak = start
  let deepest = 0
  // What is left of the peak at the deepest, rounding included: a division is needed below it only.
  let left = 1
  for (let i = from; i < to; i++) {
    const value = values[i]!
    if (value > peak) peak = value
    else if (value < peak * left) {
      deepest = Math.max(deepest, drawdownPct(value, peak))
      left = 1 - deepest / 100 + 1e-13
    }
  }
  return deepest
}

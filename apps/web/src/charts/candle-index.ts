/** Candle indices; `to` is the last candle of the span. */
export interface IndexSpan {
  readonly from: number
  readonly to: number
}

/** Index of the last of the ascending `times` that is at or before `t`; −1 where `t` lies before all of them. */
export function indexAtOrBefore(times: ArrayLike<number>, t: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle]! <= t) low = middle + 1
    else high = middle
  }
  return low - 1
}

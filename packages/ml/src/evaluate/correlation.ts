/** Pearson's correlation; 0 where either side does not vary. */
export function correlation(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const n = x.length
  let [mx, my] = [0, 0]
  for (let i = 0; i < n; i++) {
    mx += x[i]! / n
    my += y[i]! / n
  }
  let [xy, xx, yy] = [0, 0, 0]
  for (let i = 0; i < n; i++) {
    const [dx, dy] = [x[i]! - mx, y[i]! - my]
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0
}

/** Ranks from 1; equal values share the mean of theirs. */
export function ranks(x: ArrayLike<number>): Float64Array {
  const order = Array.from({ length: x.length }, (_, i) => i).sort((a, b) => x[a]! - x[b]!)
  const out = new Float64Array(x.length)
  for (let i = 0; i < order.length; ) {
    let end = i + 1
    while (end < order.length && x[order[end]!]! === x[order[i]!]!) end++
    for (let k = i; k < end; k++) out[order[k]!] = (i + end + 1) / 2
    i = end
  }
  return out
}

/** Spearman's rank correlation. */
export const rankCorrelation = (x: ArrayLike<number>, y: ArrayLike<number>): number => correlation(ranks(x), ranks(y))

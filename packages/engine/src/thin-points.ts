/**
 * Indices of at most about `most` points of a curve that keep its shape: the first, the last, and of each stretch the
 * lowest and the highest. All of them where they are few enough.
 */
export function thinPoints(values: Float64Array, most: number): number[] {
  const { length } = values
  if (length <= most) return Array.from({ length }, (_, i) => i)
  const kept = new Set([0, length - 1])
  const stretch = (2 * length) / most
  for (let at = 0; at < length; at += stretch) {
    const from = Math.floor(at)
    const to = Math.min(length, Math.floor(at + stretch))
    let low = from
    let high = from
    for (let i = from + 1; i < to; i++) {
      if (values[i]! < values[low]!) low = i
      if (values[i]! > values[high]!) high = i
    }
    kept.add(low).add(high)
  }
  return [...kept].sort((a, b) => a - b)
}

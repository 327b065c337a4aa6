/** A multiset of numbers kept in order, for quantiles of a window that slides. */
export interface SortedWindow {
  readonly size: number
  add(value: number): void
  /** Takes out one value equal to `value`, which must be there. */
  remove(value: number): void
  /** The k-th smallest, k from 0. */
  at(k: number): number
}

/** At most `capacity` values at a time; adding and removing move part of one array. */
export function createSortedWindow(capacity: number): SortedWindow {
  const values = new Float64Array(capacity)
  let size = 0
  const lowerBound = (value: number): number => {
    let [low, high] = [0, size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (values[middle]! < value) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    get size() {
      return size
    },
    add(value) {
      const k = lowerBound(value)
      values.copyWithin(k + 1, k, size)
      values[k] = value
      size++
    },
    remove(value) {
      const k = lowerBound(value)
      values.copyWithin(k, k + 1, size)
      size--
    },
    at: (k) => values[k]!,
  }
}

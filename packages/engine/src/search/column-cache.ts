/** Columns of doubles that are kept in memory: what was asked for longest ago goes first. */
const MOST_BYTES = 32 * 1024 * 1024
const FEWEST_COLUMNS = 8

/** A map of columns of `length` doubles that forgets the oldest beyond 32 MB, so that memory does not grow with the points. By hand, since the engine depends on no package of others. */
export function createColumnCache(length: number): Pick<Map<string, Float64Array>, 'get' | 'set'> {
  const most = Math.max(FEWEST_COLUMNS, Math.floor(MOST_BYTES / (8 * length)))
  const kept = new Map<string, Float64Array>()
  return {
    get(key) {
      const found = kept.get(key)
      if (found !== undefined) {
        kept.delete(key)
        kept.set(key, found)
      }
      return found
    },
    set(key, column) {
      kept.set(key, column)
      if (kept.size > most) kept.delete(kept.keys().next().value!)
      return kept
    },
  }
}

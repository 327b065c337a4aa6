const held = new Map<string, { callers: number; end: () => void }>()

/**
 * Calls `begin` for the first caller of `key` and what it returned when the last one is gone: many components may need
 * what has to be done once. Returns what takes the call back.
 */
export function shareSubscription(key: string, begin: () => () => void): () => void {
  const one = held.get(key) ?? { callers: 0, end: begin() }
  one.callers++
  held.set(key, one)
  return () => {
    if (--one.callers > 0) return
    held.delete(key)
    one.end()
  }
}

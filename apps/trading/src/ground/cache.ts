import { LRUCache } from 'lru-cache'

export interface CacheOptions {
  /** Values that are kept; of more, the one that was used longest ago goes. */
  readonly max: number
  /** For how long a value is kept, by this clock, ms; for ever when left out. */
  readonly ttl?: { readonly ms: number; readonly now: () => number }
}

/** Values that are made once: callers that ask at once share the making, and a failure is not kept. */
export function createCache<T>({ max, ttl }: CacheOptions) {
  const kept = new LRUCache<string, Promise<T>>({
    max,
    ...(ttl === undefined ? {} : { ttl: ttl.ms, perf: { now: ttl.now }, ttlResolution: 0 }),
  })
  return {
    get(key: string, make: () => Promise<T>): Promise<T> {
      const found = kept.get(key)
      if (found !== undefined) return found
      const made = make()
      kept.set(key, made)
      made.catch(() => kept.peek(key) === made && kept.delete(key))
      return made
    },
    has: (key: string): boolean => kept.has(key),
    forget: (key: string): void => void kept.delete(key),
  }
}

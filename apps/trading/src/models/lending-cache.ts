interface Entry<T> {
  opened: Promise<T>
  users: number
  evicted: boolean
}

/**
 * Keeps the `capacity` most recently used values open, by key. A value in use is never closed: one that falls out
 * while lent is closed when its last borrower is done. Two borrowers of one key share one opening. Values hold memory
 * outside of the heap until they are closed.
 */
export function createLendingCache<T extends { close(): Promise<void> }>(capacity: number) {
  const entries = new Map<string, Entry<T>>()

  const closeUnused = async (entry: Entry<T>) => {
    if (entry.users > 0) return
    const value = await entry.opened.catch(() => undefined)
    await value?.close()
  }

  // All fall out before the first is closed: a caller meanwhile opens it again.
  const evictBeyond = async (most: number) => {
    const out = [...entries].slice(0, Math.max(0, entries.size - most))
    for (const [key, entry] of out) {
      entries.delete(key)
      entry.evicted = true
    }
    await Promise.all(out.map(([, entry]) => closeUnused(entry)))
  }

  return {
    /** Calls `use` with the value of `key`, opened by `open` where it is not there. */
    async lend<R>(key: string, open: () => Promise<T>, use: (value: T) => Promise<R>): Promise<R> {
      const entry: Entry<T> = entries.get(key) ?? { opened: open(), users: 0, evicted: false }
      entries.delete(key)
      entries.set(key, entry)
      entry.users++
      try {
        const value = await entry.opened.catch((error: unknown) => {
          if (entries.get(key) === entry) entries.delete(key)
          throw error
        })
        return await use(value)
      } finally {
        entry.users--
        if (entry.evicted) await closeUnused(entry)
        await evictBeyond(capacity)
      }
    },

    /** Closes everything that is not lent; the rest is closed when given back. */
    close: (): Promise<void> => evictBeyond(0),
  }
}

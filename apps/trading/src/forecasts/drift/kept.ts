/** Keeps the `most` values that were used last; several who ask at once for one that is not there share its making. */
export function createKept<T>(most: number) {
  const values = new Map<string, Promise<T>>()
  return {
    get(key: string, make: () => Promise<T>): Promise<T> {
      const made = values.get(key) ?? make()
      values.delete(key)
      values.set(key, made)
      made.catch(() => values.get(key) === made && values.delete(key))
      for (const oldest of values.keys()) {
        if (values.size <= most) break
        values.delete(oldest)
      }
      return made
    },

    has: (key: string): boolean => values.has(key),

    /** Lets go of a value that may come out otherwise the next time. */
    forget(key: string): void {
      values.delete(key)
    },
  }
}

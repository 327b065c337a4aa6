/** Longer ones are seldom asked twice. */
const LONGEST_URL = 256
const MOST_KEPT = 1_000

/**
 * Remembers what the address of a request was parsed to, so that a page which polls does not have its unchanged query
 * checked each time. The oldest is dropped first; what is kept is frozen, since many requests share it.
 */
export class ParsedInputs<T extends object> {
  readonly #kept = new Map<string, T>()
  readonly #most: number

  constructor(most = MOST_KEPT) {
    this.#most = most
  }

  get size(): number {
    return this.#kept.size
  }

  /** What `url` was parsed to before, or what `parse` makes of it now. A refusal is thrown on and not remembered. */
  get(url: string, parse: () => T): T {
    const kept = this.#kept.get(url)
    if (kept !== undefined) return kept
    const parsed = parse()
    if (url.length > LONGEST_URL) return parsed
    if (this.#kept.size >= this.#most) this.#kept.delete(this.#kept.keys().next().value as string)
    this.#kept.set(url, deepFreeze(parsed))
    return parsed
  }
}

function deepFreeze<T>(value: T): T {
  // Whatever is no object is frozen by its nature.
  if (!Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value as object)) deepFreeze(part)
  }
  return value
}

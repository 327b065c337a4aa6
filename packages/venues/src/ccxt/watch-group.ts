import { createBackoff, sleep } from './backoff.ts'

/** How a set of subscriptions is watched through ccxt: all in one call, or each in its own. */
export interface WatchMethods<K> {
  /** Resolves with the next message for any of the keys. Null where the exchange has no such call. */
  readonly many: ((keys: readonly K[]) => Promise<void>) | null
  one(key: K): Promise<void>
  /** They were being watched and no longer are, until the next message. */
  onDown(keys: readonly K[]): void
}

export interface WatchSettings {
  readonly random: () => number
  /** First wait before a lost connection is made again, ms. */
  readonly firstWaitMs: number
}

const MAX_WAIT_MS = 30_000
/** A connection that lived for so many first waits was a good one: the next wait is short again. */
const GOOD_WAITS = 4

/**
 * Keeps a changing set of subscriptions watched. One loop a call; a change of the set starts a new loop, and the one
 * before ends with its next message.
 */
export class WatchGroup<K> {
  readonly #methods: WatchMethods<K>
  readonly #settings: WatchSettings
  readonly #keys = new Set<K>()
  readonly #stop = new AbortController()
  #generation = 0
  #planned = false

  constructor(methods: WatchMethods<K>, settings: WatchSettings) {
    this.#methods = methods
    this.#settings = settings
  }

  /** Watches one more. */
  add(key: K): void {
    if (this.#keys.has(key) || this.#stop.signal.aborted) return
    this.#keys.add(key)
    if (this.#methods.many === null)
      void this.#loop(
        [key],
        () => this.#keys.has(key),
        () => this.#methods.one(key),
      )
    else this.#plan()
  }

  /** Watches one less. */
  remove(key: K): void {
    if (this.#keys.delete(key) && this.#methods.many !== null) this.#plan()
  }

  /** Watches nothing any more. */
  close(): void {
    this.#keys.clear()
    this.#generation++
    this.#stop.abort()
  }

  /** Several changes at once make one new subscription. */
  #plan(): void {
    this.#generation++
    if (this.#planned) return
    this.#planned = true
    setImmediate(() => {
      this.#planned = false
      const generation = this.#generation
      const keys = [...this.#keys]
      const { many } = this.#methods
      if (keys.length > 0 && many !== null)
        void this.#loop(
          keys,
          () => generation === this.#generation,
          () => many(keys),
        )
    })
  }

  async #loop(keys: readonly K[], current: () => boolean, watch: () => Promise<void>): Promise<void> {
    const { firstWaitMs, random } = this.#settings
    const backoff = createBackoff({ firstMs: firstWaitMs, maxMs: MAX_WAIT_MS, random })
    let goodSince: number | null = null
    while (current() && !this.#stop.signal.aborted)
      try {
        await watch()
        goodSince ??= performance.now()
      } catch {
        if (!current()) return
        this.#methods.onDown(keys)
        if (goodSince !== null && performance.now() - goodSince > GOOD_WAITS * firstWaitMs) backoff.reset()
        goodSince = null
        try {
          await sleep(backoff.next(), this.#stop.signal)
        } catch {
          return
        }
      }
  }
}

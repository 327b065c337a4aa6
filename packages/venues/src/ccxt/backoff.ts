/** Waits between tries: twice as long each time, up to a limit, a fifth more or less so that not all come at once. */
export interface Backoff {
  /** How long to wait before the next try, ms. */
  next(): number
  /** The last try went well. */
  reset(): void
}

/** The first wait is `firstMs` and none is longer than 1.2 × `maxMs`; `random` draws from 0 to 1. */
export function createBackoff(settings: { firstMs: number; maxMs: number; random: () => number }): Backoff {
  let tries = 0
  return {
    next() {
      const ms = Math.min(settings.maxMs, settings.firstMs * 2 ** Math.min(tries++, 30))
      return ms * (0.8 + 0.4 * settings.random())
    },
    reset() {
      tries = 0
    },
  }
}

/** Resolves after `ms`; rejects with the signal's reason once it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** The exchange's clock. It stands, steps, or runs at a speed; anyone who listens hears of every step. */
export interface MarketClock {
  now(): number
  /** Moves on to `ms` (never back), stopping at each full minute on the way. */
  advanceTo(ms: number): void
  advance(byMs: number): void
  /**
   * Runs at `speed` times real time, a step every `stepRealMs`. Where the process stands still the market does too: it
   * goes on by a few steps at most. Returns what stops it.
   */
  run(speed: number, stepRealMs?: number): () => void
  /** Called at every stop: the time, and whether a minute has just ended. */
  onStep(listener: (nowMs: number, minuteEnded: boolean) => void): () => void
}

const MINUTE_MS = 60_000
const MOST_STEPS = 4

/** A clock that stands at `startMs` until it is moved. */
export function createMarketClock(startMs: number): MarketClock {
  let current = startMs
  const listeners = new Set<(nowMs: number, minuteEnded: boolean) => void>()
  const step = (to: number) => {
    current = to
    for (const listener of listeners) listener(to, to % MINUTE_MS === 0)
  }
  function advanceTo(ms: number): void {
    while (current < ms) step(Math.min(ms, (Math.floor(current / MINUTE_MS) + 1) * MINUTE_MS))
  }
  return {
    now: () => current,
    advanceTo,
    advance: (byMs) => advanceTo(current + byMs),
    run(speed, stepRealMs = 50) {
      let last = performance.now()
      const timer = setInterval(() => {
        const now = performance.now()
        const by = Math.min(now - last, MOST_STEPS * stepRealMs) * speed
        last = now
        advanceTo(Math.round(current + by))
      }, stepRealMs)
      return () => clearInterval(timer)
    },
    onStep(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

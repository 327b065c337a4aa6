import { refusals, type VenueError } from './venue-error.ts'

export interface WeightSettings {
  readonly limit: number
  readonly windowMs: number
  /** Requests sent while limited, after which the address is banned. */
  readonly patience: number
  readonly banMs: number
}

/** Request weights of one address: what it has used of the window, 429 above the limit, 418 for who goes on. */
export class RequestWeights {
  readonly settings: WeightSettings
  #windowStart = 0
  #used = 0
  #ignored = 0
  #bannedUntil = 0

  constructor(settings: WeightSettings) {
    this.settings = settings
  }

  get used(): number {
    return this.#used
  }

  /** Takes `weight` at `nowMs` (real time), or says why not and for how many seconds. */
  take(weight: number, nowMs: number): { refusal: VenueError; retryAfterS: number } | null {
    const { limit, windowMs, patience, banMs } = this.settings
    if (nowMs < this.#bannedUntil)
      return { refusal: refusals.banned(this.#bannedUntil), retryAfterS: (this.#bannedUntil - nowMs) / 1000 }
    const start = Math.floor(nowMs / windowMs) * windowMs
    if (start !== this.#windowStart) {
      this.#windowStart = start
      this.#used = 0
      this.#ignored = 0
    }
    this.#used += weight
    if (this.#used <= limit) return null
    if (++this.#ignored > patience) {
      this.#bannedUntil = nowMs + banMs
      return { refusal: refusals.banned(this.#bannedUntil), retryAfterS: banMs / 1000 }
    }
    return { refusal: refusals.tooMuch(limit), retryAfterS: (start + windowMs - nowMs) / 1000 }
  }
}

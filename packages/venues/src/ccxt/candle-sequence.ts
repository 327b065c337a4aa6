import type { LiveCandle } from '../live-venue.ts'

/** One message about a candle. */
export interface CandleMessage {
  readonly candle: LiveCandle
  /** Whether the venue says that it is final; null where it never says. */
  readonly final: boolean | null
  /** When the venue sent it, by its clock; messages of one series are in order of it. */
  readonly eventMs: number
}

/** What a message means for the listener. */
export interface CandleNews {
  readonly tell: { readonly candle: LiveCandle; readonly closed: boolean } | null
  /** The open time of a candle whose final values only the history has: they were never sent, or it is too old. */
  readonly unconfirmedMs: number | null
}

const NOTHING: CandleNews = { tell: null, unconfirmedMs: null }
const REMEMBERED = 16

/**
 * Puts the messages of one series in order: what is old, repeated or overtaken is dropped, a late closing message is
 * taken, and so is a revision of a closed candle.
 */
export class CandleSequence {
  #forming: CandleMessage | null = null
  /** Newest last. */
  readonly #closed: { candle: LiveCandle; eventMs: number }[] = []

  /** What a message brings that was not told before. */
  take(message: CandleMessage): CandleNews {
    const { candle, final, eventMs } = message
    const known = this.#closed.find((c) => c.candle.ts === candle.ts)
    if (final === true) {
      if (known !== undefined && (eventMs <= known.eventMs || same(known.candle, candle))) return NOTHING
      // Repeated or revised: it is not known which.
      if (known === undefined && this.#isForgotten(candle.ts)) return { tell: null, unconfirmedMs: candle.ts }
      const before = this.#over(candle.ts)
      this.#remember(candle, eventMs)
      return { tell: { candle, closed: true }, unconfirmedMs: before }
    }
    if (known !== undefined || this.#isForgotten(candle.ts)) return NOTHING
    const forming = this.#forming
    if (forming !== null) {
      if (candle.ts < forming.candle.ts) return NOTHING
      if (candle.ts === forming.candle.ts && (eventMs < forming.eventMs || same(forming.candle, candle))) return NOTHING
    }
    const before = this.#over(candle.ts)
    this.#forming = message
    return { tell: { candle, closed: false }, unconfirmedMs: before }
  }

  /**
   * A closed candle read from the venue's history, which was asked at `askedMs` of its clock: what the venue sends after
   * that is newer. Whether it is news.
   */
  confirm(candle: LiveCandle, askedMs: number): boolean {
    const known = this.#closed.find((c) => c.candle.ts === candle.ts)
    if (known !== undefined) return false
    this.#remember(candle, askedMs)
    return true
  }

  /** The connection was lost: whatever was forming may have ended unseen, and the listener reads it for itself. */
  lost(): void {
    this.#forming = null
  }

  /** The forming candle, where `ts` says that it is over. */
  #over(ts: number): number | null {
    const forming = this.#forming
    if (forming === null || forming.candle.ts >= ts) return null
    this.#forming = null
    return forming.candle.ts
  }

  #isForgotten(ts: number): boolean {
    const oldest = this.#closed[0]
    return this.#closed.length === REMEMBERED && oldest !== undefined && ts < oldest.candle.ts
  }

  #remember(candle: LiveCandle, eventMs: number): void {
    if (this.#forming?.candle.ts === candle.ts) this.#forming = null
    const at = this.#closed.findIndex((c) => c.candle.ts === candle.ts)
    if (at >= 0) this.#closed.splice(at, 1)
    this.#closed.push({ candle, eventMs })
    this.#closed.sort((a, b) => a.candle.ts - b.candle.ts)
    if (this.#closed.length > REMEMBERED) this.#closed.shift()
  }
}

const same = (a: LiveCandle, b: LiveCandle): boolean =>
  a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close && a.volume === b.volume

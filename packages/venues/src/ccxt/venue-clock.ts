import { AppError } from '@shapecast/contracts/errors'
import type { ClockReading } from '../live-venue.ts'
import type { ExchangeCalls } from './calls/exchange-calls.ts'
import type { VenueAsker } from './venue-asker.ts'

interface Measured {
  readonly reading: ClockReading
  /** The venue's clock and the steady one at the same moment. */
  readonly venueMs: number
  readonly steadyMs: number
}

/** Our clock and the steady one differ by so much more than at the reading: ours was set, or the machine slept. */
const SET_BY_MS = 1_000

/**
 * The venue's clock against ours: what it said, compared with the middle of the round trip (Cristian, 1989). From a
 * reading on it goes by `steadyMs`, which nobody sets: were our clock set forward, a candle that forms would count as
 * closed. ccxt is told the skew too, so that what it signs carries the venue's time.
 */
export function createVenueClock(deps: {
  exchange: ExchangeCalls
  ask: VenueAsker
  now: () => number
  steadyMs: () => number
}) {
  const { exchange, ask, now, steadyMs } = deps
  let last: Measured | null = null
  let tried: { after: Measured | null; done: Promise<unknown> } | null = null

  /** Throws `venue_unreachable` or `venue_rate_limited`. */
  async function measure(): Promise<ClockReading> {
    const sent = steadyMs()
    const said = await ask(() => exchange.fetchTime())
    const got = steadyMs()
    if (said === undefined) throw new AppError('venue_unreachable', `${exchange.id} does not tell its time.`)
    const uncertaintyMs = (got - sent) / 2
    const measuredAtMs = now()
    const venueMs = said + uncertaintyMs
    const reading = { skewMs: venueMs - measuredAtMs, uncertaintyMs, measuredAtMs }
    last = { reading, venueMs, steadyMs: got }
    // ccxt signs with the time of the machine less this.
    if ('timeDifference' in exchange.options) exchange.options.timeDifference = Math.round(-reading.skewMs)
    return reading
  }

  const venueNow = () => (last === null ? now() : last.venueMs + steadyMs() - last.steadyMs)
  const holds = () => last !== null && Math.abs(now() + last.reading.skewMs - venueNow()) < SET_BY_MS

  return {
    /** The venue's time, ms: ours until the first reading. */
    now: (): number => Math.round(venueNow()),
    /** A time that the venue's clock has passed: now, less what is not known of it. */
    passed: () => Math.floor(venueNow() - (last?.reading.uncertaintyMs ?? 0)),
    reading: (): ClockReading | null => last?.reading ?? null,
    measure,
    /** Reads the clock unless a reading still holds or the venue cannot tell. Throws nothing. */
    async measureOnce(): Promise<void> {
      if (holds() || exchange.has.fetchTime !== true) return
      // A failure is not repeated with every question: the next `measure` tries again.
      if (tried === null || tried.after !== last) tried = { after: last, done: measure().catch(() => {}) }
      await tried.done
    },
  }
}
export type VenueClock = ReturnType<typeof createVenueClock>

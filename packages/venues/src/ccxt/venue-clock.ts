import { AppError } from '@shapecast/contracts/errors'
import type { ClockReading } from '../live-venue.ts'
import type { ExchangeCalls } from './exchange-calls.ts'
import type { VenueAsker } from './venue-asker.ts'

export interface VenueClock {
  /** The venue's time, ms: ours until the first reading. */
  now(): number
  reading(): ClockReading | null
  /** Throws `venue_unreachable` or `venue_rate_limited`. */
  measure(): Promise<ClockReading>
  /** A reading, where there is none yet and the venue can tell. Throws nothing. */
  measureOnce(): Promise<void>
}

/**
 * The venue's clock against ours: what it said, compared with the middle of the round trip (Cristian, 1989). ccxt is
 * told the skew too, so that what it signs carries the venue's time.
 */
export function createVenueClock(deps: { exchange: ExchangeCalls; ask: VenueAsker; now: () => number }): VenueClock {
  const { exchange, ask, now } = deps
  let last: ClockReading | null = null
  let first: Promise<unknown> | undefined

  async function measure(): Promise<ClockReading> {
    const sent = now()
    const said = await ask(() => exchange.fetchTime())
    const got = now()
    if (said === undefined) throw new AppError('venue_unreachable', `${exchange.id} does not tell its time.`)
    last = { skewMs: said - (sent + got) / 2, uncertaintyMs: (got - sent) / 2, measuredAtMs: got }
    // ccxt signs with the time of the machine less this.
    if ('timeDifference' in exchange.options) exchange.options.timeDifference = Math.round(-last.skewMs)
    return last
  }

  return {
    now: () => Math.round(now() + (last?.skewMs ?? 0)),
    reading: () => last,
    measure,
    async measureOnce() {
      if (last !== null || exchange.has.fetchTime !== true) return
      // A failure is not repeated with every question: the next reading is whoever measures next.
      first ??= measure().catch(() => {})
      await first
    },
  }
}

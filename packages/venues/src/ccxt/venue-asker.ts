import { AppError } from '@shapecast/contracts/errors'
import { type Doing, hideQueries, keepReplyFacts, venueErrorOf } from './venue-errors.ts'

/** Asks a venue. Errors come out as ours. */
export interface VenueAsker {
  <T>(call: () => Promise<T>, doing?: Doing): Promise<T>
  /** When the venue takes requests again (ms, our clock); in the past where it does now. */
  readonly openAgainMs: number
}

/**
 * Every request to a venue goes through here. While the venue has said "not before …" nothing is sent at all: going on
 * would be answered with a ban.
 */
export function createVenueAsker(
  exchange: { readonly id: string },
  /** Refusals, in the venue's words, after which an order may have been taken all the same. */
  doubtful?: RegExp,
): VenueAsker {
  const { id: venue } = exchange
  const factsOf = keepReplyFacts(exchange)
  let openAgainMs = Number.NEGATIVE_INFINITY

  async function ask<T>(call: () => Promise<T>, doing: Doing = 'reading'): Promise<T> {
    const waitMs = openAgainMs - Date.now()
    if (waitMs > 0) {
      const retryAfterS = waitMs / 1000
      const text = `${venue} takes no requests for ${Math.ceil(retryAfterS)} s: too many were sent.`
      throw new AppError('venue_rate_limited', text, { retryAfterS })
    }
    try {
      return await call()
    } catch (cause) {
      hideQueries(cause)
      const error = venueErrorOf(cause, venue, doing, factsOf(cause), doubtful)
      if (error instanceof AppError && error.code === 'venue_rate_limited')
        openAgainMs = Math.max(openAgainMs, Date.now() + (error.retryAfterS ?? 0) * 1000)
      throw error
    }
  }
  return Object.defineProperty(ask, 'openAgainMs', { get: () => openAgainMs }) as VenueAsker
}

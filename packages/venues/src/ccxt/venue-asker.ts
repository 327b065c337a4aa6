import { AppError } from '@shapecast/contracts/errors'
import type { ReplyFacts } from './reply-facts.ts'
import { type Doing, hideQueries, venueErrorOf } from './venue-errors.ts'

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
export function createVenueAsker(deps: {
  venue: string
  factsOf: (error: unknown) => ReplyFacts | undefined
  /** Refusals, in the venue's words, after which an order may have been taken all the same. */
  doubtful?: RegExp | undefined
  now: () => number
}): VenueAsker {
  const { venue, factsOf, doubtful, now } = deps
  let openAgainMs = Number.NEGATIVE_INFINITY

  async function ask<T>(call: () => Promise<T>, doing: Doing = 'reading'): Promise<T> {
    const waitMs = openAgainMs - now()
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
        openAgainMs = Math.max(openAgainMs, now() + (error.retryAfterS ?? 0) * 1000)
      throw error
    }
  }
  return Object.defineProperty(ask, 'openAgainMs', { get: () => openAgainMs }) as VenueAsker
}

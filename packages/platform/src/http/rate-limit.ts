import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import { AppError } from '@shapecast/contracts/errors'
import type { FastifyInstance } from 'fastify'

export interface RateLimit {
  /** Calls of one caller a minute before it is asked to wait. */
  readonly callsAMinute: number
  /** Whether a request counts, by the path of its route; without a route, by its raw address. */
  readonly counts: (path: string) => boolean
}

const MOST_CALLERS = 20_000

/**
 * Refuses calls beyond those of a minute with `too_many_requests` and the seconds to wait. The minute begins with the
 * first call. Every counted reply says in its x-ratelimit headers how much is left.
 */
export async function limitRate(fastify: FastifyInstance, { callsAMinute, counts }: RateLimit): Promise<void> {
  await fastify.register(rateLimit, {
    global: false,
    max: callsAMinute,
    timeWindow: 60_000,
    cache: MOST_CALLERS,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('too_many_requests', 'Too many requests. Wait a moment and try again.', { retryAfterS: ttl / 1000 }),
  })
  const limit = fastify.rateLimit()
  // As a hook of the listener it counts what is not found too, and comes before the check of the token.
  fastify.addHook('onRequest', (request, reply, done) => {
    // Many addresses reach the same route: with letters escaped, with a host before it, with any query behind.
    if (!counts(request.routeOptions.url ?? request.raw.url ?? '')) return done()
    limit.call(fastify, request, reply).then(() => done(), done)
  })
}

/** What an address counts as: itself for IPv4 (also written as IPv6), for IPv6 its /64, which a household is given (RFC 6177). */
export const callerOf = (address: string): string => normalizeIP(address, 64)

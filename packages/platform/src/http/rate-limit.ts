import { isIPv6 } from 'node:net'
import { AppError } from '@shapecast/contracts/errors'
import type { FastifyInstance } from 'fastify'

export interface RateLimit {
  /** Calls of one caller a minute before it is asked to wait. */
  readonly callsAMinute: number
  /** Whether a request counts, by the path of its route; where it has none, by its raw address. */
  readonly counts: (path: string) => boolean
  /** Callers that are remembered, 20,000 where it is left out; of more, the one whose minute is the oldest is forgotten. */
  readonly mostCallers?: number
  /** Time in ms. */
  readonly now?: () => number
}

interface Window {
  calls: number
  endsAtMs: number
}

const WINDOW_MS = 60_000
const MOST_CALLERS = 20_000

/**
 * Refuses what a caller asks for beyond its calls of a minute, with `too_many_requests` and the seconds to wait. The
 * minute begins with its first call. It is known by its address, of IPv6 by the first 64 bits, which is what a household
 * or a server is given (RFC 6177). Every counted reply says in its x-ratelimit headers how much is left.
 */
export function limitRate(fastify: FastifyInstance, limit: RateLimit): void {
  const { callsAMinute, counts, mostCallers = MOST_CALLERS, now = Date.now } = limit
  const windows = new Map<string, Window>()

  function windowOf(caller: string, atMs: number): Window {
    const found = windows.get(caller)
    if (found !== undefined && atMs < found.endsAtMs) return found
    // Deleted and set anew, so that the map stays in the order of age.
    windows.delete(caller)
    if (windows.size >= mostCallers) windows.delete(windows.keys().next().value as string)
    const window = { calls: 0, endsAtMs: atMs + WINDOW_MS }
    windows.set(caller, window)
    return window
  }

  fastify.addHook('onRequest', (request, reply, done) => {
    // The same route is reached by many addresses: with letters escaped, with a host before it, with any query behind.
    if (!counts(request.routeOptions.url ?? request.raw.url ?? '')) return done()
    const atMs = now()
    const window = windowOf(callerOf(request.ip), atMs)
    const left = callsAMinute - ++window.calls
    const endsInS = Math.ceil((window.endsAtMs - atMs) / 1000)
    reply.header('x-ratelimit-limit', callsAMinute)
    reply.header('x-ratelimit-remaining', Math.max(0, left))
    reply.header('x-ratelimit-reset', endsInS)
    if (left >= 0) return done()
    done(new AppError('too_many_requests', 'Too many requests. Wait a moment and try again.', { retryAfterS: endsInS }))
  })
}

/** What an address counts as: itself where it is of IPv4 (written as IPv6 or not), the /64 of one of IPv6. */
export function callerOf(address: string): string {
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length)
  const bare = address.split('%')[0]!
  if (!isIPv6(bare)) return address
  const [head = '', tail] = bare.toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const groups = tail === undefined ? before : withZeros(before, tail === '' ? [] : tail.split(':'))
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/** The eight groups of an address whose run of zeros was left out ("::", RFC 4291, section 2.2). */
function withZeros(before: readonly string[], after: readonly string[]): string[] {
  // A dotted IPv4 address at the end stands for two groups.
  const written = before.length + after.length + (after.at(-1)?.includes('.') ? 1 : 0)
  return [...before, ...Array<string>(Math.max(0, 8 - written)).fill('0'), ...after]
}

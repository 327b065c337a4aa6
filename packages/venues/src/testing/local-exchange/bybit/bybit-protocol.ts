import { createHmac } from 'node:crypto'
import type { RestProtocol, RestReply } from '../rest-server.ts'
import type { VenueError } from '../venue-error.ts'
import { refusals } from './bybit-refusals.ts'

const AHEAD_MS = 1_000

/** Bybit's v5: signatures in headers over query or JSON body, and `{ retCode, retMsg, result, time }`. */
export function bybitProtocol(deps: { account: { key: string; secret: string }; now: () => number }): RestProtocol {
  const { account, now } = deps
  const reply = (retCode: number, retMsg: string, result: unknown, status = 200): RestReply => ({
    status,
    text: JSON.stringify({ retCode, retMsg, result, retExtInfo: {}, time: now() }),
  })
  const refuse = ({ code, message, status }: VenueError): RestReply => reply(code, message, {}, status)
  return {
    count: () => ({ headers: {} }),

    admit({ url, headers, body }, access) {
      const given: Record<string, unknown> = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)
      const params = new URLSearchParams(body === '' ? url.search : undefined)
      for (const [name, value] of Object.entries(given)) params.set(name, String(value))
      if (access === 'public') return params
      const key = headers['x-bapi-api-key']
      const timestamp = String(headers['x-bapi-timestamp'])
      const window = String(headers['x-bapi-recv-window'])
      if (key !== account.key) throw refusals.badKey()
      const text = `${timestamp}${key}${window}${body === '' ? url.search.slice(1) : body}`
      if (headers['x-bapi-sign'] !== createHmac('sha256', account.secret).update(text).digest('hex'))
        throw refusals.signature()
      const at = Number(timestamp)
      if (!(at < now() + AHEAD_MS && at >= now() - Number(window))) throw refusals.timestamp()
      return params
    },

    answer: (result) => reply(0, 'OK', result),
    refuse,
    noPath: refusals.noPath,
    // Of one account, which is told when to go on; an address is shut out for ten minutes without a word.
    limited: ({ status, retryAfterS }) =>
      status === 429
        ? { ...refuse(refusals.tooMany()), headers: { 'Retry-After': String(retryAfterS) } }
        : {
            status: 403,
            text: '<html><body>access too frequent</body></html>',
            headers: { 'Retry-After': String(retryAfterS) },
          },
    unknownOutcome: refuse(refusals.unsure()),
  }
}

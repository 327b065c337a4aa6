import { checkSigned } from './credentials.ts'
import { RequestWeights, type WeightSettings } from './request-weights.ts'
import type { RestProtocol, RestReply } from './rest-server.ts'
import { refusals, type VenueError } from './venue-error.ts'

const WEIGHTS: WeightSettings = { limit: 6000, windowMs: 60_000, patience: 5, banMs: 120_000 }

const refuse = (error: VenueError, headers: Record<string, string> = {}): RestReply => ({
  status: error.status,
  text: JSON.stringify({ code: error.code, msg: error.message }),
  headers,
})

/** Binance's signatures in the query, weights by interface, and `{ code, msg }` under an HTTP status. */
export function binanceProtocol(deps: {
  weights: Partial<WeightSettings> | undefined
  account: { key: string; secret: string }
  now: () => number
}): RestProtocol {
  const { account } = deps
  // By the first part of the path: each interface counts for itself.
  const byFace = new Map<string, RequestWeights>()
  const weightsOf = (path: string): RequestWeights => {
    const face = path.split('/')[1] ?? ''
    const weights = byFace.get(face) ?? new RequestWeights({ ...WEIGHTS, ...deps.weights })
    byFace.set(face, weights)
    return weights
  }
  return {
    count({ url }, weight) {
      const weights = weightsOf(url.pathname)
      const limited = weights.take(weight, Date.now())
      const used = { 'X-MBX-USED-WEIGHT-1M': String(weights.used) }
      if (limited === null) return { headers: used }
      const retry = { 'Retry-After': String(Math.ceil(limited.retryAfterS * 1000) / 1000), ...used }
      return { refusal: refuse(limited.refusal, retry) }
    },

    admit({ url, headers, body }, access) {
      const signedText = [url.search.slice(1), body].filter((t) => t !== '').join('')
      const params = new URLSearchParams([...url.searchParams, ...new URLSearchParams(body)])
      const key = headers['x-mbx-apikey']
      if (access === 'key' && key !== account.key) throw refusals.badKey()
      if (access === 'signed')
        checkSigned(
          { key: String(key), params, signedText: signedText.replace(/&signature=[^&]*$/, ''), nowMs: deps.now() },
          account,
        )
      return params
    },

    answer: (answer) => ({ status: 200, text: JSON.stringify(answer) }),
    refuse,
    noPath: refusals.noPath,
    limited: ({ status, retryAfterS }) =>
      refuse(status === 429 ? refusals.tooMuch(6000) : refusals.banned(Date.now() + retryAfterS * 1e3), {
        'Retry-After': String(retryAfterS),
      }),
    unknownOutcome: {
      status: 503,
      text: '{"code":-1007,"msg":"Timeout waiting for response from backend server. Send status unknown; execution status unknown."}',
    },
  }
}

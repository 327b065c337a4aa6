import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { checkSigned } from './credentials.ts'
import type { Faults } from './faults.ts'
import type { RequestWeights } from './request-weights.ts'
import { refusals, VenueError } from './venue-error.ts'

export interface RestRequest {
  readonly params: URLSearchParams
}

export interface RestRoute {
  readonly weight: number
  /** `signed`: key, signature and time; `key`: the key alone. */
  readonly access: 'public' | 'key' | 'signed'
  answer(request: RestRequest): unknown
}

/** Keyed by `GET /api/v3/klines`. */
export type RestRoutes = ReadonlyMap<string, RestRoute>

/** The REST side: routes behind weights, signatures and faults. */
export function createRestServer(deps: {
  routes: RestRoutes
  faults: Faults
  /** By the first part of the path: each interface counts for itself. */
  weights: (path: string) => RequestWeights
  account: { key: string; secret: string }
  now: () => number
  onRequest: (request: string, at: number) => void
}): Server {
  const { routes, faults, account } = deps

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://local')
    const name = `${request.method} ${url.pathname}`
    const body = await readBody(request)
    deps.onRequest(name, performance.now())
    const fault = faults.strike(name)
    if (fault?.kind === 'drop') {
      request.socket.destroy()
      return
    }
    if (fault?.kind === 'held') await fault.until
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms))
    if (fault?.kind === 'limited') {
      const refusal =
        fault.status === 429 ? refusals.tooMuch(6000) : refusals.banned(Date.now() + fault.retryAfterS * 1e3)
      send(response, fault.status, refuse(refusal), { 'Retry-After': String(fault.retryAfterS) })
      return
    }
    if (fault?.kind === 'status') {
      send(response, fault.status, fault.body ?? '<html><body><h1>Service Unavailable</h1></body></html>')
      return
    }
    const route = routes.get(name)
    const weights = deps.weights(url.pathname)
    const limited = weights.take(route?.weight ?? 1, Date.now())
    const used = { 'X-MBX-USED-WEIGHT-1M': String(weights.used) }
    if (limited !== null) {
      faults.note(`${limited.refusal.status} by weight: ${name}`)
      const retry = { 'Retry-After': String(Math.ceil(limited.retryAfterS * 1000) / 1000), ...used }
      send(response, limited.refusal.status, refuse(limited.refusal), retry)
      return
    }
    try {
      if (route === undefined) throw refusals.noPath()
      const signedText = [url.search.slice(1), body].filter((t) => t !== '').join('')
      const params = new URLSearchParams([...url.searchParams, ...new URLSearchParams(body)])
      const key = request.headers['x-mbx-apikey']
      if (route.access === 'key' && key !== account.key) throw refusals.badKey()
      if (route.access === 'signed')
        checkSigned(
          { key: String(key), params, signedText: signedText.replace(/&signature=[^&]*$/, ''), nowMs: deps.now() },
          account,
        )
      const answer = route.answer({ params })
      if (fault?.kind === 'lose-reply') {
        request.socket.destroy()
        return
      }
      if (fault?.kind === 'unknown-outcome') {
        send(
          response,
          503,
          '{"code":-1007,"msg":"Timeout waiting for response from backend server. Send status unknown; execution status unknown."}',
        )
        return
      }
      send(response, 200, JSON.stringify(answer), used)
    } catch (error) {
      if (!(error instanceof VenueError)) throw error
      send(response, error.status, refuse(error), used)
    }
  }

  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
}

const refuse = (error: VenueError): string => JSON.stringify({ code: error.code, msg: error.message })

function send(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  const type = text.startsWith('<') ? 'text/html' : 'application/json;charset=UTF-8'
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text), ...headers })
  response.end(text)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

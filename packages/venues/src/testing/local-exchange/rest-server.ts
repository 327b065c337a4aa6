import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Faults, RestFault } from './faults.ts'
import { VenueError } from './venue-error.ts'

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

/** A request as it came. */
export interface RawRequest {
  readonly name: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface RestReply {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

/** How an exchange signs, counts, answers and refuses. */
export interface RestProtocol {
  /** Counts a request; what it is refused with, or the headers that every answer has. */
  count(request: RawRequest, weight: number): { refusal: RestReply } | { headers: Readonly<Record<string, string>> }
  /** The parameters of a request. Throws the exchange's refusal of a wrong key, signature or time. */
  admit(request: RawRequest, access: RestRoute['access']): URLSearchParams
  answer(answer: unknown): RestReply
  refuse(error: VenueError): RestReply
  noPath(): VenueError
  /** What an address is told that has sent too much. */
  limited(fault: Extract<RestFault['fault'], { kind: 'limited' }>): RestReply
  /** That nobody knows what became of an order. */
  readonly unknownOutcome: RestReply
}

/** The REST side: routes behind a protocol and faults. */
export function createRestServer(deps: {
  routes: RestRoutes
  faults: Faults
  protocol: RestProtocol
  onRequest: (request: string, at: number) => void
}): Server {
  const { routes, faults, protocol } = deps

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://local')
    const name = `${request.method} ${url.pathname}`
    const body = await readBody(request)
    const raw: RawRequest = { name, url, headers: request.headers, body }
    deps.onRequest(name, performance.now())
    const fault = faults.strike(name)
    if (fault?.kind === 'drop') {
      request.socket.destroy()
      return
    }
    if (fault?.kind === 'held') await fault.until()
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms))
    if (fault?.kind === 'limited') return send(response, protocol.limited(fault))
    if (fault?.kind === 'status') {
      const { status, body: text = '<html><body><h1>Service Unavailable</h1></body></html>' } = fault
      return send(response, { status, text })
    }
    const route = routes.get(name)
    const counted = protocol.count(raw, route?.weight ?? 1)
    if ('refusal' in counted) {
      faults.note(`${counted.refusal.status} by weight: ${name}`)
      return send(response, counted.refusal)
    }
    try {
      if (route === undefined) throw protocol.noPath()
      const answer = route.answer({ params: protocol.admit(raw, route.access) })
      if (fault?.kind === 'lose-reply') request.socket.destroy()
      else if (fault?.kind === 'unknown-outcome') send(response, protocol.unknownOutcome)
      else send(response, protocol.answer(answer), counted.headers)
    } catch (error) {
      if (!(error instanceof VenueError)) throw error
      send(response, protocol.refuse(error), counted.headers)
    }
  }

  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
}

function send(response: ServerResponse, reply: RestReply, headers: Readonly<Record<string, string>> = {}): void {
  const { status, text } = reply
  const type = text.startsWith('<') ? 'text/html' : 'application/json;charset=UTF-8'
  const length = Buffer.byteLength(text)
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': length, ...headers, ...reply.headers })
  response.end(text)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

import { SERVICE_BASE } from '@shapecast/contracts/client'
import type { AnyEndpoint, ReplyInputOf } from '@shapecast/contracts/endpoint'
import type { ErrorCode } from '@shapecast/contracts/errors'

/** What a handler throws to answer with an error of the service. */
export class Refusal extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly field: string | undefined

  constructor(status: number, code: ErrorCode, message: string, field?: string) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
  }
}

interface Asked {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: unknown
  readonly headers: Headers
}
type Handler = (asked: Asked) => unknown

const NOT_FOUND = { error: 'There is nothing here.', code: 'not_found' }
/** The fake has no live events; pages poll. */
const STREAM = /\/stream$/
const json = (value: unknown, status = 200) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } })

/**
 * Both services as far as a test needs them: replies by endpoint, held against the contract by the client that reads
 * them. A call without a reply answers 404 and fails the test; `silence()` lets nothing answer at all.
 */
export function createFakeServer() {
  const routes: { method: string; pattern: RegExp; endpoint: AnyEndpoint; handler: Handler }[] = []
  const calls: string[] = []
  const complaints: string[] = []
  let isSilent = false

  async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const url = new URL(String(input), 'http://localhost')
    const method = init?.method ?? 'GET'
    if (isSilent) throw new TypeError('Failed to fetch')
    calls.push(`${method} ${url.pathname}${url.search}`)
    const route = routes.findLast((one) => one.method === method && one.pattern.test(url.pathname))
    if (route === undefined) {
      if (!STREAM.test(url.pathname)) complaints.push(`${method} ${url.pathname} has no reply`)
      return json(NOT_FOUND, 404)
    }
    const params = route.pattern.exec(url.pathname)?.groups ?? {}
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    try {
      const reply = await route.handler({ params, query: url.searchParams, body, headers: new Headers(init?.headers) })
      return json(route.endpoint.service === 'trading' ? { data: reply } : reply)
    } catch (error) {
      if (error instanceof Refusal)
        return json({ error: error.message, code: error.code, field: error.field }, error.status)
      complaints.push(`${method} ${url.pathname}: ${error}`)
      throw error
    }
  }

  /** Answers an endpoint, by its own path and by its public one; the newest handler counts. */
  function on<E extends AnyEndpoint>(
    endpoint: E,
    handler: (asked: Asked) => ReplyInputOf<E> | Promise<ReplyInputOf<E>>,
  ) {
    for (const path of [endpoint.path, endpoint.publicPath]) {
      if (path === undefined) continue
      const pattern = new RegExp(`^${SERVICE_BASE[endpoint.service]}${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
      routes.push({ method: endpoint.method, pattern, endpoint, handler })
    }
  }

  return {
    fetch: answer as typeof fetch,
    /** `METHOD /path?query` of every call so far. */
    calls,
    /** What is wrong with the test: calls without a reply, handlers that failed. A page only draws an error for them. */
    complaints,
    silence: (next = true) => {
      isSilent = next
    },
    on,
    /** Answers an endpoint with one reply; the bodies that it is asked with. */
    bodies<E extends AnyEndpoint>(endpoint: E, reply: ReplyInputOf<E>): unknown[] {
      const asked: unknown[] = []
      on(endpoint, ({ body }) => {
        asked.push(body)
        return reply
      })
      return asked
    },
  }
}
export type FakeServer = ReturnType<typeof createFakeServer>

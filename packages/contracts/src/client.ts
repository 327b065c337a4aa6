import { z } from 'zod'
import type { AnyEndpoint } from './endpoint.ts'
import { ErrorCode, ErrorReply } from './errors.ts'

export const SERVICE_BASE = { trading: '/bot', social: '/soc' } as const
/** Longest that a call may take, both services. */
export const REQUEST_TIMEOUT_MS = 30_000

/** What is read of an error: its words are shown whatever its code, which a newer server or a proxy may have made up. */
const SentError = ErrorReply.extend({
  error: z.string().trim().min(1),
  code: ErrorCode.catch('internal'),
  field: z.string().optional().catch(undefined),
})

/** A reply that was not a success, or none at all (`status` 0, code `unreachable`). */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | 'unreachable'
  readonly field: string | undefined
  /** False where the text is ours because the server sent none. */
  readonly fromServer: boolean

  constructor(status: number, code: ErrorCode | 'unreachable', message: string, fromServer: boolean, field?: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.field = field
    this.fromServer = fromServer
  }
}

type In<S> = S extends z.ZodType ? z.input<S> : never
type Part<E extends AnyEndpoint, K extends 'params' | 'query' | 'body'> = E[K] extends z.ZodType
  ? undefined extends In<E[K]>
    ? { [P in K]?: In<E[K]> }
    : K extends 'query'
      ? { [P in K]?: In<E[K]> }
      : { [P in K]: In<E[K]> }
  : unknown
export type CallInput<E extends AnyEndpoint> = Part<E, 'params'> &
  Part<E, 'query'> &
  Part<E, 'body'> &
  (E['takesKey'] extends true ? { idempotencyKey?: string } : unknown) & {
    form?: FormData
    signal?: AbortSignal
  }

export interface ClientSettings {
  /** Prefix of both services, such as `http://127.0.0.1:8080`; empty in a browser on the same origin. */
  origin: string
  token(): string | null
  /** Told of every 401. */
  onUnauthorized?(): void
  fetch?: typeof fetch
}

export type Call = <E extends AnyEndpoint>(endpoint: E, input: CallInput<E>) => Promise<z.output<E['reply']>>

/** A file that a service sent; `name` is null where it sent none in its content-disposition header. */
export interface ReceivedFile {
  name: string | null
  content: Blob
}
export type CallForFile = <E extends AnyEndpoint>(endpoint: E, input: CallInput<E>) => Promise<ReceivedFile>

/** The file name of a content-disposition header, without any folder; null where it names none. */
export function fileNameOf(disposition: string | null): string | null {
  const name = /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1]?.trim()
  return name?.split(/[\\/]/).at(-1) || null
}

/** What a call without a whole reply throws; a caller that ended it itself is told so. */
const lostBy = (cause: unknown, signal: AbortSignal | undefined): unknown =>
  signal?.aborted
    ? cause
    : new ApiError(0, 'unreachable', 'The server cannot be reached. Check the connection and try again.', false)

/** The body of a reply: the connection may break off in its midst. */
const received = <T>(body: Promise<T>, { signal }: { signal?: AbortSignal }): Promise<T> =>
  body.catch((cause) => {
    throw lostBy(cause, signal)
  })

/**
 * Builds the typed caller of both services from the endpoint table. `call` parses replies by their schema; `file` is
 * for endpoints that answer with a file.
 */
export function createClient(settings: ClientSettings): { call: Call; file: CallForFile } {
  const doFetch = settings.fetch ?? fetch

  async function send<E extends AnyEndpoint>(endpoint: E, path: string, input: CallInput<E>): Promise<Response> {
    const loose = input as {
      params?: Record<string, unknown>
      query?: Record<string, unknown>
      body?: unknown
      idempotencyKey?: string
      form?: FormData
      signal?: AbortSignal
    }
    const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(loose.params?.[key] ?? '')))
    const query = new URLSearchParams()
    for (const [key, value] of Object.entries(loose.query ?? {}))
      for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) query.append(key, String(one))
    const token = settings.token()
    const headers: Record<string, string> = {}
    if (token !== null) headers.authorization = `Bearer ${token}`
    if (loose.body !== undefined) headers['content-type'] = 'application/json'
    if (loose.idempotencyKey !== undefined) headers['idempotency-key'] = loose.idempotencyKey
    const timeout = AbortSignal.timeout(loose.form === undefined ? REQUEST_TIMEOUT_MS : 10 * 60_000)
    let response: Response
    try {
      response = await doFetch(
        `${settings.origin}${SERVICE_BASE[endpoint.service]}${filled}${query.size > 0 ? `?${query}` : ''}`,
        {
          method: endpoint.method,
          headers,
          signal: loose.signal === undefined ? timeout : AbortSignal.any([loose.signal, timeout]),
          ...(loose.form !== undefined
            ? { body: loose.form }
            : loose.body !== undefined
              ? { body: JSON.stringify(loose.body) }
              : {}),
        },
      )
    } catch (cause) {
      throw lostBy(cause, loose.signal)
    }
    if (!response.ok) {
      // A late answer to an earlier session says nothing about the present one.
      if (response.status === 401 && settings.token() === token) settings.onUnauthorized?.()
      const parsed = SentError.safeParse(await response.json().catch(() => null))
      if (parsed.success)
        throw new ApiError(response.status, parsed.data.code, parsed.data.error, true, parsed.data.field)
      throw new ApiError(response.status, 'internal', `The server answered ${response.status}.`, false)
    }
    return response
  }

  async function request<E extends AnyEndpoint>(endpoint: E, path: string, input: CallInput<E>) {
    const response = await send(endpoint, path, input)
    const json: unknown = JSON.parse(await received(response.text(), input))
    const payload = endpoint.service === 'trading' ? z.object({ data: z.unknown() }).parse(json).data : json
    return endpoint.reply.parse(payload) as z.output<E['reply']>
  }

  return {
    async call(endpoint, input) {
      if (endpoint.publicPath === undefined) return request(endpoint, endpoint.path, input)
      if (settings.token() === null) return request(endpoint, endpoint.publicPath, input)
      try {
        return await request(endpoint, endpoint.path, input)
      } catch (error) {
        if ((input as { signal?: AbortSignal }).signal?.aborted) throw error
        return request(endpoint, endpoint.publicPath, input)
      }
    },
    async file(endpoint, input) {
      const { publicPath, path } = endpoint
      const response = await send(endpoint, settings.token() === null ? (publicPath ?? path) : path, input)
      return {
        name: fileNameOf(response.headers.get('content-disposition')),
        content: await received(response.blob(), input),
      }
    },
  }
}

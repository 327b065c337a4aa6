import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isManager } from '@shapecast/contracts/auth'
import type { AnyEndpoint, BodyOf, ParamsOf, QueryOf, ReplyInputOf, Service } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { en } from 'zod/locales'
import type { Caller, Sessions } from '../sessions.ts'

/** One service as it is being built: where its endpoints are registered. */
export interface ServiceApp {
  readonly name: Service
  /** For plugins that a service needs for itself, such as multipart. */
  readonly fastify: FastifyInstance
  readonly sessions: Sessions
  readonly registered: Set<AnyEndpoint>
}

/** Null is possible only where the contract lets people in without a token. */
export type CallerOf<E extends AnyEndpoint> = E['access'] extends 'public'
  ? Caller | null
  : E extends { readonly publicPath: string }
    ? Caller | null
    : Caller

export interface Call<E extends AnyEndpoint> {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  readonly caller: CallerOf<E>
  /** True at the `/public/...` twin: show public things only, whoever calls. */
  readonly viaPublicPath: boolean
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * What a handler gives back: the contract's reply, or one that is shared by many; for files and events nothing (it has
 * sent them itself).
 */
export type Answer<E extends AnyEndpoint> = E extends { readonly replyKind: 'file' | 'events' }
  ? FastifyReply | undefined
  : ReplyInputOf<E> | CheckedJson | SharedReply

export type Handler<E extends AnyEndpoint> = (call: Call<E>) => Answer<E> | Promise<Answer<E>>

/** JSON text that the handler vouches for: sent as it is, not checked again. For replies that are large and plain. */
export class CheckedJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A whole reply as it goes over the wire, made once for many: the handler vouches for its bytes. */
export interface PreparedReply {
  /** JSON, with what the service wraps around its payload. */
  readonly body: Buffer
  /** A strong entity tag of these bytes, with its quotes (RFC 9110, section 8.8.3). */
  readonly etag: string
}

/** A prepared reply to one request; whoever has these bytes already gets 304. */
export class SharedReply {
  readonly prepared: PreparedReply
  /** Who may keep it and for how long: the Cache-Control header. */
  readonly cacheControl: string
  constructor(prepared: PreparedReply, cacheControl: string) {
    this.prepared = prepared
    this.cacheControl = cacheControl
  }
}

/** Smaller ones are sent as they are. */
const WORTH_COMPRESSING_BYTES = 1024
const compress = promisify(gzip)
const compressed = new WeakMap<PreparedReply, Promise<Buffer>>()

/** Compressed once for all who take it so. */
function gzipOf(prepared: PreparedReply): Promise<Buffer> {
  let made = compressed.get(prepared)
  if (made === undefined) {
    made = compress(prepared.body)
    compressed.set(prepared, made)
  }
  return made
}

/** Writes the bytes themselves, with the headers that hooks have set: what hooks do to a body is done already. */
async function sendShared(request: FastifyRequest, reply: FastifyReply, shared: SharedReply): Promise<void> {
  const { prepared, cacheControl } = shared
  const { body, etag } = prepared
  const { 'if-none-match': known, 'accept-encoding': accepted } = request.headers
  const takesGzip = accepted !== undefined && /\bgzip\b(?!;q=0)/.test(accepted)
  const zipped = takesGzip && body.length >= WORTH_COMPRESSING_BYTES ? await gzipOf(prepared) : null
  // A proxy that has compressed the reply calls the tag weak; for reading that is the same.
  const isKnown = known?.split(',').some((tag) => tag.trim().replace(/^W\//, '').replace('-gzip"', '"') === etag)
  const headers: Record<string, string | number> = {
    ...(reply.getHeaders() as Record<string, string>),
    etag: zipped === null ? etag : etag.replace(/"$/, '-gzip"'),
    'cache-control': cacheControl,
    vary: 'accept-encoding',
  }
  reply.hijack()
  if (isKnown) {
    reply.raw.writeHead(304, headers).end()
    return
  }
  const bytes = zipped ?? body
  if (zipped !== null) headers['content-encoding'] = 'gzip'
  headers['content-type'] = 'application/json; charset=utf-8'
  headers['content-length'] = bytes.length
  reply.raw.writeHead(200, headers).end(bytes)
}

/**
 * Registers an endpoint, and its public twin, as the contract declares it: input parsed (400 with the field's name),
 * access enforced (401, 403), the reply checked and stripped by its schema (a wrong one is our 500), trading replies
 * wrapped in `{ data }`.
 */
export function registerEndpoint<E extends AnyEndpoint>(app: ServiceApp, endpoint: E, handler: Handler<E>): void {
  if (endpoint.service !== app.name)
    throw new Error(
      `${endpoint.method} ${endpoint.path} belongs to the ${endpoint.service} service, not to ${app.name}.`,
    )
  const route = (url: string, viaPublicPath: boolean) =>
    app.fastify.route({
      method: endpoint.method,
      url,
      // Who may not call does not get to send a large body first.
      async onRequest(request) {
        callers.set(request, await admit(app.sessions, endpoint, request, viaPublicPath))
      },
      async handler(request, reply) {
        const call = {
          params: parse(endpoint.params, request.params),
          query: parse(endpoint.query, request.query),
          body: endpoint.bodyKind === 'multipart' ? undefined : parse(endpoint.body, request.body),
          caller: callers.get(request) ?? null,
          viaPublicPath,
          request,
          reply,
        } as unknown as Call<E>
        const answer: unknown = await handler(call)
        if ((endpoint.replyKind ?? 'json') !== 'json') return reply
        if (answer instanceof SharedReply) return void (await sendShared(request, reply, answer))
        return send(endpoint, reply, answer)
      },
    })
  route(endpoint.path, false)
  if (endpoint.publicPath !== undefined) route(endpoint.publicPath, true)
  app.registered.add(endpoint)
}

const callers = new WeakMap<FastifyRequest, Caller | null>()

async function admit(sessions: Sessions, endpoint: AnyEndpoint, request: FastifyRequest, viaPublicPath: boolean) {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (endpoint.access === 'public' || viaPublicPath) {
    if (token === undefined) return null
    // A token that has run out must not keep anybody from what everybody may read.
    return sessions.verify(token).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'unauthorized') return null
      throw error
    })
  }
  if (token === undefined) throw new AppError('unauthorized', 'Sign in first.')
  const caller = await sessions.verify(token)
  if (endpoint.access === 'manager' && !isManager(caller.role))
    throw new AppError('forbidden', 'Only admins and bot managers may do this.')
  if (endpoint.access === 'admin' && caller.role !== 'admin')
    throw new AppError('forbidden', 'Only admins may do this.')
  return caller
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const field = issue.path.map(String).join('.')
  // Our own sentences stand alone; the library's ("Too small: expected …") need to be told what they speak of.
  const ours = aboutWhat(issue.message) !== libraryText(issue)
  throw new AppError(
    'bad_input',
    ours || field === '' ? issue.message : `${field}: ${issue.message}`,
    field === '' ? {} : { field },
  )
}

const library = en()
function libraryText(issue: z.core.$ZodIssue): string {
  // The input itself is not kept in an issue, and is not needed for what is compared.
  const said = library.localeError({ ...issue, input: undefined } as z.core.$ZodRawIssue)
  return aboutWhat((typeof said === 'string' ? said : said?.message) ?? '')
}
const aboutWhat = (text: string): string => text.split(', received')[0]!

function send(endpoint: AnyEndpoint, reply: FastifyReply, answer: unknown): FastifyReply {
  let text: string
  if (answer instanceof CheckedJson) text = answer.text
  else {
    const checked = endpoint.reply.safeParse(answer)
    if (!checked.success)
      throw new Error(`The reply of ${endpoint.method} ${endpoint.path} breaks its contract: ${checked.error.message}`)
    text = JSON.stringify(checked.data)
  }
  return reply
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(endpoint.service === 'trading' ? `{"data":${text}}` : text)
}

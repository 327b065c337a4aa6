import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Names and values in turns of the headers that every reply of this listener carries. */
    standingHeaders: string[]
  }
}

/**
 * Lets every reply carry `headers`, unless it has said otherwise itself. They are set as a reply goes out; one that is
 * hijacked has to bring them along (see `headersSoFar`).
 */
export function setStandingHeaders(fastify: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  const entries = Object.entries(headers)
  fastify.decorate('standingHeaders', entries.flat())
  if (entries.length === 0) return
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    for (const [name, value] of entries) if (!reply.hasHeader(name)) reply.header(name, value)
    done()
  })
}

/** Smaller ones are sent as they are. */
const WORTH_COMPRESSING_BYTES = 1024
const compress = promisify(gzip)
const JSON_TYPE = 'application/json; charset=utf-8'

/** A whole JSON reply as it goes over the wire, made once for many: its maker vouches for its bytes. */
export class PreparedReply {
  readonly body: Buffer
  /** A strong entity tag of these bytes, with its quotes (RFC 9110, section 8.8.3). */
  readonly etag: string
  #zipped: Buffer | Promise<Buffer> | null = null

  constructor(body: Buffer) {
    this.body = body
    this.etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  }

  /** The body compressed, once for all who take it so; null where that is not worth it. */
  zipped(): Buffer | Promise<Buffer> | null {
    if (this.body.length < WORTH_COMPRESSING_BYTES) return null
    this.#zipped ??= compress(this.body).then((bytes) => {
      this.#zipped = bytes
      return bytes
    })
    return this.#zipped
  }
}

/** A prepared reply to one request; a client that has these bytes gets 304. */
export class SharedReply {
  readonly prepared: PreparedReply
  /** Who may keep it and for how long: the Cache-Control header. */
  readonly cacheControl: string
  constructor(prepared: PreparedReply, cacheControl: string) {
    this.prepared = prepared
    this.cacheControl = cacheControl
  }
}

/**
 * Writes the bytes themselves, with the headers that hooks have set: what hooks do to a body is done already. Gives a
 * promise only where the bytes are yet to be compressed.
 */
export function sendShared(
  request: FastifyRequest,
  reply: FastifyReply,
  shared: SharedReply,
): Promise<void> | undefined {
  const zipped = takesGzip(request) ? shared.prepared.zipped() : null
  if (zipped instanceof Promise) return zipped.then((bytes) => write(request, reply, shared, bytes))
  write(request, reply, shared, zipped)
  return undefined
}

/** A weight of 0 refuses it (RFC 9110, section 12.4.2). */
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

const takesGzip = ({ headers: { 'accept-encoding': accepted } }: FastifyRequest): boolean =>
  accepted !== undefined && GZIP.test(accepted)

function write(request: FastifyRequest, reply: FastifyReply, shared: SharedReply, zipped: Buffer | null): void {
  const { body, etag } = shared.prepared
  const headers = headersSoFar(reply)
  headers.push('etag', zipped === null ? etag : etag.replace(/"$/, '-gzip"'))
  headers.push('cache-control', shared.cacheControl, 'vary', 'accept-encoding')
  reply.hijack()
  const known = request.headers['if-none-match']
  if (known !== undefined && isKnown(known, etag)) {
    reply.raw.writeHead(304, headers).end()
    return
  }
  const bytes = zipped ?? body
  if (zipped !== null) headers.push('content-encoding', 'gzip')
  headers.push('content-type', JSON_TYPE, 'content-length', String(bytes.length))
  reply.raw.writeHead(200, headers).end(bytes)
}

/** A proxy that has compressed the reply calls the tag weak; for reading that is the same. */
const isKnown = (known: string, etag: string): boolean =>
  known.split(',').some((tag) => tag.trim().replace(/^W\//, '').replace('-gzip"', '"') === etag)

/**
 * Names and values in turns, as writeHead takes them, of what goes out with a hijacked reply: the listener's standing
 * headers and those that hooks and the handler have set.
 */
export function headersSoFar(reply: FastifyReply): string[] {
  const headers = reply.server.standingHeaders.slice()
  const own = reply.getHeaders()
  for (const name in own) {
    const value = own[name]
    if (Array.isArray(value)) for (const one of value) headers.push(name, one)
    else if (value !== undefined) headers.push(name, String(value))
  }
  return headers
}

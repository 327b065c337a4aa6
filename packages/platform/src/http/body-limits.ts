import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream'
import { AppError } from '@shapecast/contracts/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf } from './rate-limit.ts'

const KB = 1024
const MB = 1024 * KB

/** The largest body where no token is asked for. */
export const OPEN_BODY_BYTES = 16 * KB
/** The largest body where a token was checked before, unless the endpoint says otherwise. */
export const BODY_BYTES = 64 * KB

/** Of files by themselves, and of all other bodies by themselves: who sends files for hours keeps nobody from a call. */
export interface BodyLimits {
  /** Bodies that are being read at a time, of all callers and of one; a caller is an address, of IPv6 a /64. */
  readonly bodies: number
  readonly bodiesOfCaller: number
  /** What they may come to, in bytes: a body counts as what it says, at most what its route takes (a model has 64 MB). */
  readonly bytes: number
  readonly bytesOfCaller: number
  /** Time for a body in ms; a file may take longer as long as it brings `FILE_BYTES` in each. */
  readonly withinMs: number
}

const LIMITS: BodyLimits = {
  bodies: 2_000,
  bodiesOfCaller: 200,
  bytes: 256 * MB,
  bytesOfCaller: 144 * MB,
  withinMs: 30_000,
}
/** Some 2 KB a second: slower than the slowest line of a person. */
const FILE_BYTES = 64 * KB
const RETRY_AFTER_S = 5

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether so much of a body may be to come that it is cheaper to close the connection than to read it for nothing. */
export const bringsMuch = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > OPEN_BODY_BYTES

const poolOf = () => ({
  all: { bodies: 0, bytes: 0 },
  callers: new Map<string, { bodies: number; bytes: number }>(),
})

/**
 * Keeps unfinished bodies from filling the memory: only so many are read at a time, and none for ever. It counts what
 * has passed the hooks before it, so a body without a token that it needs is not read at all.
 */
export function limitBodies(fastify: FastifyInstance, limits: BodyLimits = LIMITS): void {
  const pools = { files: poolOf(), rest: poolOf() }
  const files = new WeakSet<IncomingMessage>()

  function admit(request: FastifyRequest, response: ServerResponse): void {
    const limit = request.routeOptions.bodyLimit ?? OPEN_BODY_BYTES
    const bytes = Math.min(Number(request.headers['content-length'] ?? limit), limit)
    const { all, callers } = request.routeOptions.config.takesFiles ? pools.files : pools.rest
    const name = callerOf(request.ip)
    const caller = callers.get(name) ?? { bodies: 0, bytes: 0 }
    if (caller.bodies >= limits.bodiesOfCaller || caller.bytes + bytes > limits.bytesOfCaller)
      throw new AppError('too_many_requests', 'Too much is being sent from your address at once. Wait a moment.', {
        retryAfterS: RETRY_AFTER_S,
      })
    if (all.bodies >= limits.bodies || all.bytes + bytes > limits.bytes)
      throw new AppError('unavailable', 'Too much is being sent to this server at once. Try again in a moment.', {
        retryAfterS: RETRY_AFTER_S,
      })
    callers.set(name, caller)
    for (const count of [all, caller]) {
      count.bodies += 1
      count.bytes += bytes
    }
    onceOver(request.raw, response, () => {
      for (const count of [all, caller]) {
        count.bodies -= 1
        count.bytes -= bytes
      }
      if (caller.bodies === 0) callers.delete(name)
    })
  }

  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    if (!hasBody(request.raw)) return done()
    if (request.routeOptions.config.takesFiles) files.add(request.raw)
    try {
      admit(request, reply.raw)
      done()
    } catch (error) {
      // The rest of the body is not wanted.
      reply.header('connection', 'close')
      done(error as AppError)
    }
  })

  fastify.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    let before = request.socket.bytesRead
    const timer = setInterval(() => {
      const brought = request.socket.bytesRead - before
      before += brought
      if (!files.has(request) || brought < FILE_BYTES || response.writableEnded) endSlow(request, response)
    }, limits.withinMs).unref()
    whenOver(request, () => clearInterval(timer))
  })
}

/** Once the body is there whole, or does not come any more. A request that was answered before its body hears only of its socket. */
function whenOver(request: IncomingMessage, then: () => void): void {
  const { socket } = request
  const over = () => {
    forget()
    socket.off('close', over)
    then()
  }
  const forget = finished(request, over)
  socket.once('close', over)
}

/** Once the body is there whole, does not come any more, or is answered: what comes of it after that is thrown away. */
function onceOver(request: IncomingMessage, response: ServerResponse, then: () => void): void {
  let isOver = false
  const over = () => {
    if (isOver) return
    isOver = true
    response.off('finish', over)
    then()
  }
  response.once('finish', over)
  whenOver(request, over)
}

function endSlow({ complete, socket }: IncomingMessage, response: ServerResponse): void {
  if (complete) return
  if (response.headersSent) socket.destroy()
  else socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n', () => socket.destroy())
}

export interface ConnectionLimits {
  readonly connections: number
  /** Of one address; null where a proxy brings everybody's. */
  readonly connectionsOfAddress: number | null
}

/** Closes connections beyond so many, of all and of one address, as soon as they are there. */
export function limitConnections(fastify: FastifyInstance, limits: ConnectionLimits): void {
  const { server } = fastify
  const { connections, connectionsOfAddress } = limits
  server.maxConnections = connections
  if (connectionsOfAddress === null) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const from = callerOf(socket.remoteAddress ?? '')
    const others = open.get(from) ?? 0
    if (others >= connectionsOfAddress) {
      socket.destroy()
      return
    }
    open.set(from, others + 1)
    socket.once('close', () => {
      const left = open.get(from)! - 1
      if (left > 0) open.set(from, left)
      else open.delete(from)
    })
  })
}

import { AppError } from '@shapecast/contracts/errors'
import { STREAM_HEARTBEAT_MS, type StreamTopic, stream } from '@shapecast/contracts/stream'
import { callerOf } from '@shapecast/platform/http/rate-limit'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import { headersSoFar } from '@shapecast/platform/http/shared-reply'
import type { FastifyRequest } from 'fastify'
import type { EventHub } from './event-hub.ts'
import { createEventWriter } from './event-writer.ts'

export interface StreamRouteDeps {
  readonly hub: EventHub
  readonly now: () => number
  /** Throws `unknown_symbol`. */
  readonly requireSymbol: (symbol: string) => Promise<void>
  /** Tells the feed that these are looked at; called again and again while they are. */
  readonly use: (topics: readonly StreamTopic[]) => void
}

/** Open streams of one process: each is a socket and a few kilobytes. */
const MOST_STREAMS = 5_000
/** A person has a few tabs; an office has a few people. */
const MOST_OF_AN_ADDRESS = 100
const USE_EVERY_MS = 60_000

const symbolsOf = (topics: readonly StreamTopic[]): Set<string> =>
  new Set(topics.flatMap((topic) => ('symbol' in topic ? [topic.symbol] : [])))

/** The stream of live updates and its public twin, which shows nothing that is not everybody's. */
export function registerStream(app: ServiceApp, deps: StreamRouteDeps): void {
  const { hub, now } = deps
  const open = new Map<() => void, string>()
  const beats = new Set<() => void>()
  const timer = setInterval(() => {
    for (const beat of beats) beat()
  }, STREAM_HEARTBEAT_MS).unref()
  // Streams never end by themselves, and a listener that closes waits for its requests.
  app.fastify.addHook('preClose', async () => {
    clearInterval(timer)
    for (const end of [...open.keys()]) end()
  })

  registerEndpoint(app, stream, async ({ query, viewer, request, reply }) => {
    const { topics } = query
    for (const symbol of symbolsOf(topics)) await deps.requireSymbol(symbol)
    const from = callerOf(request.ip)
    const fromHere = [...open.values()].filter((address) => address === from).length
    if (open.size >= MOST_STREAMS || fromHere >= MOST_OF_AN_ADDRESS)
      throw new AppError('too_many_requests', 'Too many live streams are open. Close some, or try again in a moment.', {
        retryAfterS: 30,
      })
    const { raw } = reply
    reply.hijack()
    if (raw.destroyed) return undefined
    raw.writeHead(200, [
      ...headersSoFar(reply),
      ...['content-type', 'text/event-stream; charset=utf-8', 'cache-control', 'no-store'],
      // Proxies that gather replies would hold events back.
      ...['x-accel-buffering', 'no'],
    ])
    raw.write('retry: 2000\n\n')
    const writer = createEventWriter(raw, now)
    const unsubscribe = hub.subscribe({ topics, viewer, lastId: lastIdOf(request), send: writer.send })
    const using = setInterval(() => deps.use(topics), USE_EVERY_MS).unref()
    deps.use(topics)
    beats.add(writer.beat)
    const end = () => {
      unsubscribe()
      unwatch()
      clearInterval(using)
      beats.delete(writer.beat)
      open.delete(end)
      raw.end()
    }
    const unwatch = viewer === null ? () => {} : app.sessions.whenEnded(viewer.sid, end)
    open.set(end, from)
    raw.on('close', end)
    return undefined
  })
}

const lastIdOf = (request: FastifyRequest): string | null => {
  const id = request.headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : null
}

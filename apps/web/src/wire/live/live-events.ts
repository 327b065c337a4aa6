import { SERVICE_BASE } from '@shapecast/contracts/client'
import { STREAM_HEARTBEAT_MS, StreamEvent, type StreamTopic, stream, topicName } from '@shapecast/contracts/stream'
import { createEventStreamParser } from './event-stream-parser.ts'

/** Without a byte for so long the connection is taken for dead. */
const SILENCE_MS = 3 * STREAM_HEARTBEAT_MS
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** A server without a stream is asked again after this time; until then polling alone keeps pages fresh. */
const ABSENT_WAIT_MS = 10 * 60_000

export interface LiveEventsDeps {
  readonly fetch: typeof fetch
  token(): string | null
  /** Told of every 401. */
  onUnauthorized?(): void
  /** Tells, now and whenever that changes, whether there is to be no connection; where it is left out, there is one. */
  hold?(tell: (isHeld: boolean) => void): void
}

/** The topic that an event belongs to; null for a reset, which concerns all. */
function topicOfEvent(message: StreamEvent): string | null {
  switch (message.event) {
    case 'ticker':
      return topicName({ kind: 'ticker', symbol: message.data.symbol })
    case 'candle':
      return topicName({ kind: 'candle', ...message.data })
    case 'job':
      return 'jobs'
    case 'bot':
      return 'bots'
    case 'task':
      return 'tasks'
    case 'notification':
      return 'notifications'
    case 'reset':
      return null
    default:
      return message satisfies never
  }
}

function parseEvent(event: string, data: string): StreamEvent | null {
  try {
    return StreamEvent.safeParse({ event, data: JSON.parse(data) }).data ?? null
  } catch {
    return null
  }
}

/** Live updates over fetch, so that the token travels in a header. Anyone who listens polls as well: a stream may be missing. */
export function createLiveEvents({ fetch: doFetch, token, onUnauthorized, hold }: LiveEventsDeps) {
  const listeners = new Map<string, Set<(event: StreamEvent) => void>>()
  let current: AbortController | null = null
  let planned: ReturnType<typeof setTimeout> | undefined
  let lastId: string | null = null
  let waitMs = FIRST_WAIT_MS
  let wasConnected = false
  let isHeld = false
  hold?.((next) => {
    isHeld = next
    plan(0)
  })

  function plan(inMs: number): void {
    clearTimeout(planned)
    planned = setTimeout(() => {
      current?.abort()
      current = null
      if (listeners.size > 0 && !isHeld) void connect([...listeners.keys()])
    }, inMs)
  }

  function tell(event: string, data: string): void {
    const message = parseEvent(event, data)
    if (message === null) return
    const topic = topicOfEvent(message)
    for (const [name, told] of listeners)
      if (topic === null || topic === name) for (const listener of told) listener(message)
  }

  async function request(topics: readonly string[], signal: AbortSignal): Promise<Response> {
    const query = `?${new URLSearchParams({ topics: topics.join(',') })}`
    const headers: Record<string, string> = { accept: 'text/event-stream' }
    if (lastId !== null) headers['last-event-id'] = lastId
    const held = token()
    if (held !== null) {
      const authorization = `Bearer ${held}`
      const reply = await doFetch(`${SERVICE_BASE.trading}${stream.path}${query}`, {
        headers: { ...headers, authorization },
        signal,
      })
      if (reply.status !== 401) return reply
      // A late answer to the previous session says nothing about the new one.
      if (token() === held) onUnauthorized?.()
    }
    return doFetch(`${SERVICE_BASE.trading}${stream.publicPath}${query}`, { headers, signal })
  }

  async function connect(topics: readonly string[]): Promise<void> {
    const connection = new AbortController()
    current = connection
    const { signal } = connection
    let silence: ReturnType<typeof setTimeout> | undefined
    const heard = () => {
      clearTimeout(silence)
      silence = setTimeout(() => connection.abort(), SILENCE_MS)
    }
    let nextMs: number | null = null
    try {
      heard()
      const reply = await request(topics, signal)
      if (!reply.ok || reply.body === null) {
        if (reply.status >= 400 && reply.status < 500 && reply.status !== 429) nextMs = ABSENT_WAIT_MS
        await reply.body?.cancel()
      } else {
        // Without an id to go on from, what came meanwhile is not sent again.
        if (wasConnected && lastId === null) tell('reset', '{}')
        wasConnected = true
        const feed = createEventStreamParser(({ id, event, data }) => {
          lastId = id
          waitMs = FIRST_WAIT_MS
          tell(event, data)
        })
        const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
        for (;;) {
          const { done, value } = await reader.read()
          if (done) break
          heard()
          feed(value)
        }
      }
    } catch {
      // A connection that broke is like one that ended: another one follows.
    } finally {
      clearTimeout(silence)
    }
    if (current !== connection || listeners.size === 0) return
    plan(nextMs ?? waitMs)
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
  }

  return {
    /**
     * Calls `listener` for every event of a topic and for every `reset`. One connection carries all topics that somebody
     * listens to, and is open only while somebody does. Returns what ends the listening.
     */
    listen(topic: StreamTopic, listener: (event: StreamEvent) => void): () => void {
      const name = topicName(topic)
      const told = listeners.get(name) ?? new Set()
      const isNew = told.size === 0
      listeners.set(name, told.add(listener))
      // Pages subscribe one after the other as they come and go; one connection is made for all of that.
      if (isNew) plan(0)
      return () => {
        told.delete(listener)
        if (told.size > 0 || listeners.get(name) !== told) return
        listeners.delete(name)
        plan(0)
      }
    },
  }
}

import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import type { CandleRow, Ticker } from '@shapecast/contracts/market'
import { type StreamEvent, type StreamTopic, topicName } from '@shapecast/contracts/stream'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { LRUCache } from 'lru-cache'
import { maySee } from '../../ground/jobs/kind.ts'
import type { Viewer } from '../../ground/ownership.ts'
import { type FeedStatus, keyOf, type LiveMessage, topicOf } from './live-messages.ts'

/** One event as a stream sends it. */
export interface Outgoing {
  readonly id: string
  /** Events of one key replace each other for a reader who is slow. */
  readonly key: string
  readonly event: StreamEvent
}

export interface Subscription {
  readonly topics: readonly StreamTopic[]
  readonly viewer: Viewer
  /** Id of the last event that the reader has; null for a new reader. */
  readonly lastId: string | null
  readonly send: (event: Outgoing) => void
}

interface Kept {
  readonly seq: number
  readonly message: LiveMessage
}

/** So many closed candles, jobs and changes of bots can be caught up with: a few minutes of a busy installation. */
const MOST_KEPT = 2_000
/** Prices and forming candles: the newest of each is kept, of so many series. */
const MOST_STATES = 2_000
const FRESH_MS = 10_000
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled'])

const isState = (message: LiveMessage): boolean => message.t === 'ticker' || (message.t === 'candle' && !message.closed)

/** What a viewer is shown of a message; null where it is not theirs to see. */
export function shownTo(message: LiveMessage, viewer: Viewer): StreamEvent | null {
  switch (message.t) {
    case 'ticker':
      return { event: 'ticker', data: message.ticker }
    case 'candle': {
      const { symbol, timeframe, row, closed } = message
      return { event: 'candle', data: { symbol, timeframe, candle: row, closed } }
    }
    case 'job': {
      if (viewer === null || !maySee(message, viewer)) return null
      const { kind, id, status, current, total } = message
      return { event: 'job', data: { kind, id, status, progress: { current: current ?? 0, total: total ?? 0 } } }
    }
    case 'bot': {
      const mine = viewer !== null && (viewer.role === 'admin' || viewer.userId === message.userId)
      const { id, status, name, change } = message
      const sees = change !== 'removed' && (mine || message.public)
      const saw = change !== 'created' && (mine || message.wasPublic)
      if (sees) return { event: 'bot', data: { id, change: saw ? 'changed' : 'created', status, name } }
      return saw ? { event: 'bot', data: { id, change: 'removed', status: null, name: null } } : null
    }
    case 'task':
      return viewer === null ? null : { event: 'task', data: { id: message.id } }
    case 'notification':
      return viewer?.userId === message.userId ? { event: 'notification', data: {} } : null
    case 'status':
      return null
    default:
      return message satisfies never
  }
}

/**
 * Where the live updates of a process meet its readers. It keeps the newest of each price and a bounded number of past
 * events, so that a reader who comes back goes on where it was. `venue` names the market: others' messages are not its.
 */
export function createEventHub(deps: { venue: string; now: () => number; mostKept?: number }) {
  const { venue, now, mostKept = MOST_KEPT } = deps
  const states = new LRUCache<string, Kept>({ max: MOST_STATES })
  const past: Kept[] = []
  /** Who reads, by topic, and who waits for the end of a job, by its id. */
  const readers = new EventEmitter().setMaxListeners(0)
  const jobs = new EventEmitter().setMaxListeners(0)
  const everybody = new Set<() => void>()
  const closedListeners: ((symbol: string, timeframe: Timeframe) => void)[] = []
  const tickers = new Map<string, { atMs: number; ticker: Ticker }>()
  let status: FeedStatus | null = null
  let statusAtMs = Number.NEGATIVE_INFINITY
  let epoch = randomBytes(6).toString('hex')
  let seq = 0
  /** Everything up to it can not be caught up with any more. */
  let forgotten = 0

  function keep(message: LiveMessage, topic: string): Kept {
    const kept = { seq: ++seq, message }
    if (isState(message)) states.set(topic, kept)
    else {
      // What forms now is another candle.
      if (message.t === 'candle') states.delete(topic)
      past.push(kept)
      if (past.length > mostKept) forgotten = past.shift()!.seq
    }
    return kept
  }

  /** Takes what a process has announced. */
  function publish(messages: readonly LiveMessage[]): void {
    for (const message of messages) {
      if ('venue' in message && message.venue !== venue) continue
      if (message.t === 'status') {
        status = message
        statusAtMs = now()
        continue
      }
      if (message.t === 'ticker') tickers.set(message.ticker.symbol, { atMs: now(), ticker: message.ticker })
      if (message.t === 'candle' && message.closed)
        for (const listener of closedListeners) listener(message.symbol, message.timeframe)
      if (message.t === 'job' && ENDED.has(message.status)) jobs.emit(message.id)
      const topic = topicOf(message)!
      readers.emit(topic, keep(message, topic))
    }
  }

  return {
    publish,
    /** Something may have been missed: everybody reads again. */
    reset(): void {
      epoch = randomBytes(6).toString('hex')
      past.length = 0
      states.clear()
      forgotten = seq
      for (const tell of everybody) tell()
      // Who waits for a job listens for 'error' too, which must not be told.
      for (const id of jobs.eventNames()) if (id !== 'error') jobs.emit(id)
    },
    /** The newest price of a symbol, where it came within the last ten seconds. */
    latest(symbol: string): Ticker | null {
      const found = tickers.get(symbol)
      return found !== undefined && now() - found.atMs < FRESH_MS ? found.ticker : null
    },
    /** The candle of a series that forms, as the feed last announced it; null where it has not since the last close. */
    forming(symbol: string, timeframe: Timeframe): CandleRow | null {
      const message = states.peek(`candle:${symbol}:${timeframe}`)?.message
      return message?.t === 'candle' ? message.row : null
    },
    /** What the feed last said of itself; null where it has not for ten seconds. */
    status: (): FeedStatus | null => (now() - statusAtMs < FRESH_MS ? status : null),
    /** Resolves once a job has ended as far as this process heard, or its messages may have been missed. */
    async jobEnded(id: string, signal: AbortSignal): Promise<void> {
      await once(jobs, id, { signal }).catch(() => undefined)
    },
    /** Called at every closed candle. */
    onClosed: (listener: (symbol: string, timeframe: Timeframe) => void) => void closedListeners.push(listener),

    /**
     * Sends what has come since `lastId`, or `reset` where that is not known any more, or to a new reader the newest of
     * each price and candle; then every event of its topics. Returns what ends it.
     */
    subscribe({ topics, viewer, lastId, send }: Subscription): () => void {
      const names = new Set(topics.map(topicName))
      const idOf = (at: number) => `${epoch}-${at}`
      const pass = ({ seq: at, message }: Kept): void => {
        const event = shownTo(message, viewer)
        if (event !== null) send({ id: idOf(at), key: keyOf(message), event })
      }
      const sendReset = () => send({ id: idOf(seq), key: 'reset', event: { event: 'reset', data: {} } })
      const wanted = (kept: Kept) => names.has(topicOf(kept.message)!)

      const [lastEpoch, lastSeq] = (lastId ?? '').split('-')
      const known = lastEpoch === epoch && Number(lastSeq) >= forgotten && Number(lastSeq) <= seq
      const since = known ? Number(lastSeq) : seq
      if (lastId !== null && !known) sendReset()
      const missed = known ? past.filter((kept) => kept.seq > since && wanted(kept)) : []
      const newest = [...states.values()].filter((kept) => wanted(kept) && (!known || kept.seq > since))
      for (const kept of [...missed, ...newest].sort((a, b) => a.seq - b.seq)) pass(kept)

      for (const name of names) readers.on(name, pass)
      everybody.add(sendReset)
      return () => {
        everybody.delete(sendReset)
        for (const name of names) readers.off(name, pass)
      }
    },
  }
}
export type EventHub = ReturnType<typeof createEventHub>

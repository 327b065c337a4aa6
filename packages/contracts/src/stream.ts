import { z } from 'zod'
import { Bot, BotStatus } from './bots.ts'
import { tradingEndpoint } from './endpoint.ts'
import { JobKind, JobStatus } from './job-status.ts'
import { CandleRow, SymbolId, Ticker } from './market.ts'
import { Timeframe } from './timeframes.ts'

/** What a stream may be asked for: `ticker:BTCUSDT`, `candle:BTCUSDT:1h`, `jobs`, `bots`, `tasks`, `notifications`. */
export type StreamTopic =
  | { readonly kind: 'ticker'; readonly symbol: string }
  | { readonly kind: 'candle'; readonly symbol: string; readonly timeframe: Timeframe }
  | { readonly kind: 'jobs' }
  | { readonly kind: 'bots' }
  | { readonly kind: 'tasks' }
  | { readonly kind: 'notifications' }

export const MOST_TOPICS = 20

/** A topic as the query writes it. */
export function topicName(topic: StreamTopic): string {
  switch (topic.kind) {
    case 'ticker':
      return `ticker:${topic.symbol}`
    case 'candle':
      return `candle:${topic.symbol}:${topic.timeframe}`
    case 'jobs':
    case 'bots':
    case 'tasks':
    case 'notifications':
      return topic.kind
    default:
      return topic satisfies never
  }
}

const PLAIN_TOPICS = ['jobs', 'bots', 'tasks', 'notifications'] as const
const isPlain = (kind: string | undefined): kind is (typeof PLAIN_TOPICS)[number] =>
  PLAIN_TOPICS.some((plain) => plain === kind)

/** Reads a topic; null where it is none. */
export function topicOf(name: string): StreamTopic | null {
  const [kind, symbolText, timeframeText, ...rest] = name.split(':')
  if (rest.length > 0) return null
  if (isPlain(kind) && symbolText === undefined) return { kind }
  const symbol = SymbolId.safeParse(symbolText)
  if (!symbol.success) return null
  if (kind === 'ticker' && timeframeText === undefined) return { kind, symbol: symbol.data }
  const timeframe = Timeframe.safeParse(timeframeText)
  return kind === 'candle' && timeframe.success ? { kind, symbol: symbol.data, timeframe: timeframe.data } : null
}

const Topics = z.string().transform((text, ctx): StreamTopic[] => {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const topics = names.map((name) => [name, topicOf(name)] as const)
  const unknown = topics.find(([, topic]) => topic === null)
  const refuse = (message: string) => {
    ctx.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  if (unknown !== undefined)
    return refuse(
      `"${unknown[0]}" is no topic. Use ticker:BTCUSDT, candle:BTCUSDT:1h, jobs, bots, tasks or notifications`,
    )
  if (topics.length === 0) return refuse('Name at least one topic, such as ticker:BTCUSDT')
  if (topics.length > MOST_TOPICS) return refuse(`One stream has at most ${MOST_TOPICS} topics`)
  return topics.map(([, topic]) => topic!)
})

/** A candle as it stands: still forming, or closed. A closed one may come again with other values: the later one holds. */
export const CandleEvent = z.object({
  symbol: SymbolId,
  timeframe: Timeframe,
  candle: CandleRow,
  closed: z.boolean(),
})
export type CandleEvent = z.infer<typeof CandleEvent>

/** A job that the caller may see has moved on. Its own endpoint has the rest. */
export const JobEvent = z.object({
  kind: JobKind,
  id: z.uuid(),
  status: JobStatus,
  progress: z.object({ current: z.number(), total: z.number() }),
})
export type JobEvent = z.infer<typeof JobEvent>

/** A bot that the caller may see has changed, or its orders, positions or trades have. `removed`: it is gone, or not the caller's to see any more. */
export const BotEvent = z.object({
  id: z.uuid(),
  change: z.enum(['created', 'changed', 'removed']),
  /** Null where it is removed. */
  status: BotStatus.nullable(),
  name: Bot.shape.name.nullable(),
})
export type BotEvent = z.infer<typeof BotEvent>

/** A task of the board has changed. Its own endpoint has the rest; where it is not found, it was deleted. */
export const TaskEvent = z.object({ id: z.uuid() })
export type TaskEvent = z.infer<typeof TaskEvent>

/**
 * The `event` and the parsed `data` of one server-sent message. `reset`: what came between the last message and this one
 * is not known any more, so read everything again. A slow reader gets the newest event of each topic, not every one.
 */
export const StreamEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('ticker'), data: Ticker }),
  z.object({ event: z.literal('candle'), data: CandleEvent }),
  z.object({ event: z.literal('job'), data: JobEvent }),
  z.object({ event: z.literal('bot'), data: BotEvent }),
  z.object({ event: z.literal('task'), data: TaskEvent }),
  /** The caller was told something, or has read it: ask for the notifications. */
  z.object({ event: z.literal('notification'), data: z.object({}) }),
  z.object({ event: z.literal('reset'), data: z.object({}) }),
])
export type StreamEvent = z.infer<typeof StreamEvent>

/** A comment comes at least this often, so that a dead connection can be told from a quiet one. */
export const STREAM_HEARTBEAT_MS = 15_000

export const stream = tradingEndpoint('GET /api/stream', {
  publicPath: '/public/stream',
  summary:
    'Server-sent events: prices, candles, job progress and bot changes. It begins with the newest of each price and candle; a `Last-Event-ID` header resumes. The public twin has no jobs, tasks or notifications, and public bots only.',
  query: z.object({
    /** Such as `ticker:BTCUSDT,candle:BTCUSDT:1h,jobs,bots,tasks`. */
    topics: Topics,
  }),
  reply: StreamEvent,
  replyKind: 'events',
  errors: ['unknown_symbol', 'too_many_requests', 'venue_unreachable'],
})

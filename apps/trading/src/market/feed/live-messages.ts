import { JobKind, JobStatus } from '@shapecast/contracts/job-status'
import { CandleRow, SymbolId, Ticker, VenueName } from '@shapecast/contracts/market'
import { Timeframe } from '@shapecast/contracts/timeframes'
import type pg from 'pg'
import { z } from 'zod'

/** The channel on which processes tell each other what is new. Triggers of the database write to it too. */
export const CHANNEL = 'shapecast_live'

/** What the feed says of itself, every few seconds. */
const StatusMessage = z.object({
  t: z.literal('status'),
  venue: VenueName,
  /** When it was said, by the feed's clock. */
  atMs: z.number(),
  /** How long ago the newest message of the market came; null before the first. */
  lagMs: z.number().nullable(),
  /** The venue's clock minus the feed's; null where the venue has none of its own. */
  skewMs: z.number().nullable(),
  websocket: z.object({ public: z.boolean(), private: z.boolean() }),
})
export type FeedStatus = Omit<z.infer<typeof StatusMessage>, 't'>

const LiveMessage = z.discriminatedUnion('t', [
  z.object({ t: z.literal('ticker'), venue: VenueName, ticker: Ticker }),
  z.object({
    t: z.literal('candle'),
    venue: VenueName,
    symbol: SymbolId,
    timeframe: Timeframe,
    row: CandleRow,
    closed: z.boolean(),
  }),
  StatusMessage,
  z.object({
    t: z.literal('job'),
    kind: JobKind,
    id: z.uuid(),
    userId: z.uuid().nullable(),
    joined: z.array(z.uuid()),
    visibility: z.enum(['askers', 'managers']),
    status: JobStatus,
    current: z.number().nullable(),
    total: z.number().nullable(),
  }),
  z.object({
    t: z.literal('bot'),
    id: z.uuid(),
    userId: z.uuid(),
    venue: VenueName,
    status: z.enum(['stopped', 'active', 'paused', 'error']),
    name: z.string(),
    change: z.enum(['created', 'changed', 'removed']),
    public: z.boolean(),
    wasPublic: z.boolean(),
  }),
  /** A task of the board was proposed, changed, voted on, deleted or restored. */
  z.object({ t: z.literal('task'), id: z.uuid() }),
  /** A person was told something, or read it. */
  z.object({ t: z.literal('notification'), userId: z.uuid() }),
])
export type LiveMessage = z.infer<typeof LiveMessage>

/** The topic of the stream that a message belongs to; null where it is for processes alone. */
export function topicOf(message: LiveMessage): string | null {
  switch (message.t) {
    case 'ticker':
      return `ticker:${message.ticker.symbol}`
    case 'candle':
      return `candle:${message.symbol}:${message.timeframe}`
    case 'status':
      return null
    default:
      return `${message.t}s`
  }
}

/** Messages of one key replace each other where somebody is slow: the newest says it all. */
export function keyOf(message: LiveMessage): string {
  const topic = topicOf(message) ?? message.t
  if (message.t === 'candle') return message.closed ? `${topic} ${message.row[0]}` : topic
  if (message.t === 'notification') return `${topic} ${message.userId}`
  return 'id' in message ? `${topic} ${message.id}` : topic
}

/** The messages of one notification; those that are none of ours (of another version) are left out. */
export function readMessages(payload: string): LiveMessage[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(payload)
  } catch {
    return []
  }
  if (!Array.isArray(parsed)) return []
  return parsed.flatMap((one) => {
    const message = LiveMessage.safeParse(one)
    return message.success ? [message.data] : []
  })
}

/** A notification holds 8,000 bytes (PostgreSQL manual, NOTIFY). */
const MOST_BYTES = 7_500

/** Packs messages into as few notifications as hold them, in order. */
export function packMessages(messages: readonly LiveMessage[]): string[] {
  const payloads: string[] = []
  let parts: string[] = []
  let bytes = 2
  const close = () => {
    if (parts.length > 0) payloads.push(`[${parts.join(',')}]`)
    parts = []
    bytes = 2
  }
  for (const message of messages) {
    const text = JSON.stringify(message)
    const size = Buffer.byteLength(text) + 1
    if (bytes + size > MOST_BYTES) close()
    parts.push(text)
    bytes += size
  }
  close()
  return payloads
}

/** Tells every process, this one too, in one statement. */
export async function sendMessages(pool: Pick<pg.Pool, 'query'>, messages: readonly LiveMessage[]): Promise<void> {
  if (messages.length === 0) return
  await pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
    CHANNEL,
    packMessages(messages),
  ])
}

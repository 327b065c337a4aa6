import { createHash } from 'node:crypto'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, rowsFromCandles } from '@shapecast/engine/candles'

export interface OhlcvQuery {
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly limit: number
  readonly before?: number | undefined
}

/** A reply as it goes over the wire. */
export interface PreparedReply {
  readonly body: Buffer
  readonly etag: string
}

/** A newest candle may be seen this much late, ms; older ones do not change by themselves. */
const KEPT_MS = 1_000
const MOST_BYTES = 32 * 1024 ** 2

interface Kept {
  readonly untilMs: number
  readonly reply: Promise<PreparedReply>
  bytes: number
}

/** Bytes and their ETag (RFC 9110, section 8.8.3): a strong one, of the bytes themselves. */
export function prepared(payload: unknown): PreparedReply {
  const body = Buffer.from(JSON.stringify({ data: payload }))
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

/**
 * Replies of candles, read and written out once for everybody who asks for the same within a second, so that a hundred
 * open dashboards cost one query. Bounded in memory; a failure is not kept.
 */
export function createOhlcvReplies(deps: { candles(query: OhlcvQuery): Promise<Candles>; now: () => number }): {
  get(query: OhlcvQuery): Promise<PreparedReply>
  forget(symbol: string, timeframe: Timeframe): void
} {
  const kept = new Map<string, Kept>()
  let bytes = 0

  const drop = (key: string) => {
    bytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  function load(key: string, query: OhlcvQuery, nowMs: number): Promise<PreparedReply> {
    drop(key)
    const step = TIMEFRAME_MS[query.timeframe]
    const nextClose = (Math.floor(nowMs / step) + 1) * step
    const reply = deps.candles(query).then((candles) => prepared(rowsFromCandles(candles)))
    const entry: Kept = { untilMs: Math.min(nowMs + KEPT_MS, nextClose), reply, bytes: 0 }
    kept.set(key, entry)
    reply.then(
      ({ body }) => {
        if (kept.get(key) !== entry) return
        entry.bytes = body.length
        bytes += body.length
        for (const oldest of kept.keys()) {
          if (bytes <= MOST_BYTES || oldest === key) break
          drop(oldest)
        }
      },
      () => {
        if (kept.get(key) === entry) drop(key)
      },
    )
    return reply
  }

  return {
    get(query) {
      const key = `${query.symbol} ${query.timeframe} ${query.limit} ${query.before ?? ''}`
      const nowMs = deps.now()
      const found = kept.get(key)
      return found !== undefined && nowMs < found.untilMs ? found.reply : load(key, query, nowMs)
    },
    forget(symbol, timeframe) {
      const prefix = `${symbol} ${timeframe} `
      for (const key of [...kept.keys()]) if (key.startsWith(prefix)) drop(key)
    },
  }
}

import type { Timeframe } from '@shapecast/contracts/timeframes'
import { PreparedReply } from '@shapecast/platform/http/shared-reply'
import { LRUCache } from 'lru-cache'

/** How long a shared cache and a browser may show candles while they fetch newer ones, in seconds. */
export const OHLCV_KEPT_S: Readonly<Record<Timeframe, number>> = {
  '1m': 15,
  '5m': 45,
  '15m': 120,
  '30m': 180,
  '1h': 240,
  '4h': 600,
  '1d': 1800,
}
export const PRICE_KEPT_S = 10
export const MARKETS_KEPT_S = 3600

/** For so long nobody asks again at all. */
const FRESH_S = 2

/**
 * What may be kept of a reply: what everybody may read by anybody, fresh for two seconds and shown for `keptS` while it
 * is fetched again (RFC 5861); a signed-in person's by the browser alone, which asks each time whether it still holds.
 */
export const cacheControlOf = (isPublic: boolean, keptS: number): string =>
  isPublic ? `public, max-age=${FRESH_S}, stale-while-revalidate=${keptS}` : 'private, no-cache'

const MOST_BYTES = 32 * 1024 ** 2
const MOST_REPLIES = 20_000

/**
 * Replies that many ask for, read and written out once: a hundred open dashboards cost one query a second. Bounded in
 * memory; a failure is for those who waited for it and is not kept.
 */
export function createKeptReplies(now: () => number) {
  const kept = new LRUCache<string, PreparedReply | Promise<PreparedReply>>({
    max: MOST_REPLIES,
    maxSize: MOST_BYTES,
    sizeCalculation: (reply) => (reply instanceof Promise ? 1 : reply.body.length),
    perf: { now },
    ttlResolution: 0,
  })
  return {
    /**
     * The reply that is kept under `key`, or what `load` gives, written out once for all who ask before `untilMs`; a
     * promise only while it is not there yet.
     */
    get(key: string, untilMs: number, load: () => Promise<unknown>): PreparedReply | Promise<PreparedReply> {
      const found = kept.get(key)
      if (found !== undefined) return found
      const reply = load().then((data) => new PreparedReply(Buffer.from(JSON.stringify({ data }))))
      // It is kept to its last moment, not beyond.
      const lasting = { start: now(), ttl: Math.max(1, untilMs - now() - 1) }
      kept.set(key, reply, lasting)
      reply.then(
        (ready) => kept.peek(key) === reply && kept.set(key, ready, lasting),
        () => kept.peek(key) === reply && kept.delete(key),
      )
      return reply
    },
    /** Drops every reply whose key begins so. */
    forget(prefix: string): void {
      for (const key of [...kept.keys()]) if (key.startsWith(prefix)) kept.delete(key)
    },
  }
}

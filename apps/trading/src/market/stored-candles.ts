import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, emptyCandles, setCandles, sliceCandles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import { aggregateCandles } from '@shapecast/venues/aggregate'
import { type CandleQuery, rangeOf, selectCandles } from '@shapecast/venues/venue'
import { LRUCache } from 'lru-cache'
import { readCandles } from './read-candles.ts'
import { type StoredSeries, seriesOfSymbol } from './series-store.ts'

const BYTES_PER_CANDLE = 48

/** The newest candles of one series, without a break from the first of them to the last of the series. */
interface CandleWindow {
  readonly revision: number
  /** Whether it begins with the first candle of the series. */
  readonly whole: boolean
  readonly candles: Candles
  /** Columns with room for more behind `candles`, which is a view on them. */
  readonly room?: Candles
}

/** Keeps the windows that were used last, up to `maxBytes` of columns. Callers have to compare the revision with the database's. */
export class CandleWindows extends LRUCache<number, CandleWindow> {
  constructor(maxBytes: number) {
    const sizeCalculation = ({ candles, room = candles }: CandleWindow) => Math.max(1, room.length * BYTES_PER_CANDLE)
    super({ maxSize: Math.max(1, maxBytes), sizeCalculation })
  }

  /** How many candles a single window may have. */
  get largest(): number {
    return Math.floor(this.maxSize / 2 / BYTES_PER_CANDLE)
  }

  /**
   * Adds candles that follow the window's last one. Views given out earlier stay as they are: the new candles go
   * behind them, or all move to larger columns.
   */
  append(seriesId: number, more: Candles): CandleWindow {
    const kept = this.peek(seriesId)!
    const length = kept.candles.length + more.length
    let { room = kept.candles } = kept
    if (room.length < length) {
      room = emptyCandles(Math.ceil(length * 1.25) + 64)
      setCandles(room, kept.candles)
    }
    setCandles(room, more, kept.candles.length)
    const window = { ...kept, candles: sliceCandles(room, 0, length), room }
    this.set(seriesId, window)
    return window
  }
}

const DEFAULT_CACHE_BYTES = 256 * 1024 ** 2
/** A chart that asks for 100 candles will be panned: what is read for it at once. */
const SMALLEST_WINDOW = 12_000

/**
 * Reads candles through a cache of the newest candles of each series. Each read looks at the series' row first (one
 * lookup by key), so what another process imported is seen at once.
 */
export function createStoredCandles(db: Database, options: { cacheBytes?: number } = {}) {
  const windows = new CandleWindows(options.cacheBytes ?? DEFAULT_CACHE_BYTES)
  const loading = new Map<string, Promise<CandleWindow>>()

  return {
    /**
     * Candles as columns, oldest first: the stored ones of this timeframe, or, where it is not stored, the complete ones
     * of the largest smaller timeframe that is. Empty if there are none. The columns are shared: do not write to them.
     * Callers that have just looked at the symbol's series give them as `known`.
     */
    async candles(
      venue: string,
      symbol: string,
      timeframe: Timeframe,
      query: CandleQuery,
      known?: readonly StoredSeries[],
    ): Promise<Candles> {
      const stored = known ?? (await seriesOfSymbol(db.orm, venue, symbol))
      const own = stored.find((s) => s.timeframe === timeframe)
      if (own) return read(own, query)
      const step = TIMEFRAME_MS[timeframe]
      const base = stored.findLast((s) => TIMEFRAME_MS[s.timeframe] < step)
      return base ? readAggregated(base, step, query) : emptyCandles(0)
    },
  }

  async function readAggregated(base: StoredSeries, step: number, query: CandleQuery): Promise<Candles> {
    const part = TIMEFRAME_MS[base.timeframe]
    const { fromMs, toMs } = rangeOf(query)
    // A bucket that opens within the range has its parts up to its end.
    const within = {
      fromMs: Math.ceil(fromMs / step) * step,
      toMs: Math.floor(toMs / step) * step + step - part,
    }
    const { limit } = query
    for (let wanted = limit === undefined ? undefined : (limit + 1) * (step / part); ; ) {
      const parts = await read(base, { ...within, limit: wanted })
      const made = aggregateCandles(parts, part, step)
      // Gaps may have cost some buckets: look further back as long as there is more.
      if (wanted === undefined || made.length >= limit! || parts.length < wanted)
        return limit === undefined ? made : sliceCandles(made, Math.max(0, made.length - limit))
      wanted *= 4
    }
  }

  async function read(series: StoredSeries, query: CandleQuery): Promise<Candles> {
    const range = rangeOf(query)
    if (range.toMs < series.firstTs || range.fromMs > series.lastTs) return emptyCandles(0)
    const needed = neededFromTheEnd(series, range, query.limit)
    if (needed <= windows.largest) {
      const window = await windowOf(series, needed)
      const found = selectCandles(window.candles, range, query.limit)
      const reaches =
        window.whole ||
        (query.limit !== undefined && found.length >= query.limit) ||
        (window.candles.length > 0 && range.fromMs >= window.candles.ts[0]!)
      if (reaches) return found
    }
    return readCandles(db.pool, series.id, { ...range, limit: query.limit }, Math.min(needed, series.candles))
  }

  /** The window of the series with at least `needed` candles where it has so many, as new as the series. */
  async function windowOf(series: StoredSeries, needed: number): Promise<CandleWindow> {
    const kept = windows.get(series.id)
    const usable =
      kept !== undefined && kept.revision === series.revision && (kept.whole || kept.candles.length >= needed)
    const key = `${series.id}/${series.revision}/${series.lastTs}/${usable ? 'more' : needed}`
    const running = loading.get(key)
    if (running) return running
    const last = kept?.candles.ts.at(-1) ?? Number.NEGATIVE_INFINITY
    if (usable && last >= series.lastTs) return kept
    const load = usable ? loadMore(series, last) : loadWindow(series, needed)
    loading.set(key, load)
    try {
      return await load
    } finally {
      loading.delete(key)
    }
  }

  async function loadMore(series: StoredSeries, last: number): Promise<CandleWindow> {
    const more = await readCandles(db.pool, series.id, { fromMs: last + 1, toMs: series.lastTs })
    const now = windows.get(series.id)
    // Somebody else may have renewed or dropped the window meanwhile.
    if (now === undefined || now.revision !== series.revision || now.candles.ts.at(-1) !== last)
      return loadWindow(series, SMALLEST_WINDOW)
    return windows.append(series.id, more)
  }

  async function loadWindow(series: StoredSeries, needed: number): Promise<CandleWindow> {
    const limit = Math.min(Math.max(needed, SMALLEST_WINDOW), series.candles)
    const range = { toMs: series.lastTs, limit }
    const candles = await readCandles(db.pool, series.id, range, limit)
    const window = { revision: series.revision, whole: limit >= series.candles, candles }
    windows.set(series.id, window)
    return window
  }
}

export type StoredCandles = ReturnType<typeof createStoredCandles>

/** How many of the newest candles a window must have to answer the query, at most. */
function neededFromTheEnd(series: StoredSeries, range: { fromMs: number; toMs: number }, limit?: number): number {
  const step = TIMEFRAME_MS[series.timeframe]
  const after = range.toMs >= series.lastTs ? 0 : Math.ceil((series.lastTs - range.toMs) / step)
  const sinceFrom = Math.floor((series.lastTs - Math.max(range.fromMs, series.firstTs)) / step) + 1
  return Math.min(series.candles, sinceFrom, limit === undefined ? series.candles : limit + after)
}

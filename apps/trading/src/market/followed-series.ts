import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import type { HeardCandle, LiveCandle } from '@shapecast/venues/live-venue'
import type { CandleFiller, FillOptions } from './fill-candles.ts'
import type { Run } from './missing-candles.ts'
import { seriesOfSymbol } from './series-store.ts'
import type { StoredCandles } from './stored-candles.ts'
import { candlesOf, type Written, writeCandles } from './write-candles.ts'

/** The stored series of one venue as its live follower reads and writes them. */
export function createFollowedSeries(deps: {
  db: Database
  venue: string
  stored: StoredCandles
  filler: CandleFiller
}) {
  const { db, venue, stored, filler } = deps
  return {
    /** Open time of the newest stored candle, ms, or null. */
    async lastTs(symbol: string, timeframe: Timeframe): Promise<number | null> {
      return (await seriesOfSymbol(db.orm, venue, symbol)).find((s) => s.timeframe === timeframe)?.lastTs ?? null
    },
    write: (symbol: string, timeframe: Timeframe, news: readonly HeardCandle[]): Promise<Written> => {
      const candles = candlesOf(news.map(({ candle }) => candle))
      const heardMs = news.map((one) => one.heardMs)
      return writeCandles(db.pool, { venue, symbol, timeframe }, candles, heardMs)
    },
    fill: (symbol: string, timeframe: Timeframe, range: Run, options: FillOptions): Promise<number> =>
      filler.fill(symbol, timeframe, range, options),
    /** Stored candles from an open time on, oldest first. */
    async since(symbol: string, timeframe: Timeframe, fromMs: number): Promise<LiveCandle[]> {
      const c = await stored.candles(venue, symbol, timeframe, { fromMs })
      return Array.from({ length: c.length }, (_, i) => ({
        ts: c.ts[i]!,
        open: c.open[i]!,
        high: c.high[i]!,
        low: c.low[i]!,
        close: c.close[i]!,
        volume: c.volume[i]!,
      }))
    },
  }
}
export type FollowedSeries = ReturnType<typeof createFollowedSeries>

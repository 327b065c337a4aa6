import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import { readCandles } from './read-candles.ts'
import { seriesOfSymbol } from './series-store.ts'

/** The smallest stored candles of a symbol. */
export interface FinerCandles {
  readonly timeframe: Timeframe
  /** Those within a range of open times, ms, both ends included. */
  load(fromMs: number, toMs: number): Promise<Candles>
}

/** Answers the smallest candles that are stored of a symbol, where they are smaller than `timeframe`; else null. */
export const createFinerCandles =
  (db: Database, venue: string) =>
  async (symbol: string, timeframe: Timeframe): Promise<FinerCandles | null> => {
    const [smallest] = await seriesOfSymbol(db.orm, venue, symbol)
    if (smallest === undefined || TIMEFRAME_MS[smallest.timeframe] >= TIMEFRAME_MS[timeframe]) return null
    return {
      timeframe: smallest.timeframe,
      load: (fromMs, toMs) => readCandles(db.pool, smallest.id, { fromMs, toMs }),
    }
  }

import { pipeline } from 'node:stream/promises'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { RowDecoder } from './candle-copy.ts'
import type { CandleRange } from './series-market.ts'
import { seriesOfSymbol } from './series-store.ts'

/**
 * The key has the candles in order already. Right after a large import the planner does not know how many there are, and
 * would collect and sort them on disk (measured: three times as long).
 */
const BEGIN = 'begin read only; set local enable_sort = off; set local enable_bitmapscan = off'

const whole = (value: number): string => {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number`)
  return String(value)
}

/**
 * The stored candles of a series as columns, oldest first, by binary COPY: no object for a row.
 * `expectedRows` only saves growing the columns.
 */
export async function readCandles(
  pool: pg.Pool,
  seriesId: number,
  range: CandleRange,
  expectedRows = 1024,
): Promise<Candles> {
  // COPY takes no parameters; every value is checked to be a whole number.
  const where = [`series_id = ${whole(seriesId)}`]
  if (Number.isFinite(range.fromMs)) where.push(`ts >= ${whole(Math.ceil(range.fromMs!))}`)
  if (Number.isFinite(range.toMs)) where.push(`ts <= ${whole(Math.floor(range.toMs!))}`)
  const newestFirst = range.limit !== undefined
  const order = newestFirst ? `order by ts desc limit ${whole(range.limit!)}` : 'order by ts'
  const decoder = new RowDecoder(expectedRows)
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(BEGIN)
    const query = `copy (select ts, open, high, low, close, volume from trading.candles where ${where.join(' and ')} ${order}) to stdout (format binary)`
    await pipeline(client.query(copyTo(query)), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) decoder.push(chunk)
    })
    await client.query('commit')
  } catch (error) {
    // A COPY that was left in its middle leaves the connection of no use.
    broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
  return decoder.finish(newestFirst)
}

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

import type { Series } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { series } from './tables.ts'

/** A stored series that has candles. Times are open times in ms. */
export interface StoredSeries {
  readonly id: number
  readonly venue: string
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly candles: number
  readonly firstTs: number
  readonly lastTs: number
  readonly gapCount: number
  readonly revision: number
}

type Row = typeof series.$inferSelect
const stored = (row: Row): StoredSeries => ({
  ...row,
  timeframe: row.timeframe as Timeframe,
  firstTs: row.firstTs!,
  lastTs: row.lastTs!,
})

/** Every stored timeframe of a symbol, the smallest first. */
export async function seriesOfSymbol(orm: NodePgDatabase, venue: string, symbol: string): Promise<StoredSeries[]> {
  const rows = await orm
    .select()
    .from(series)
    .where(and(eq(series.venue, venue), eq(series.symbol, symbol), gt(series.candles, 0)))
  return rows.map(stored).sort((a, b) => TIMEFRAME_MS[a.timeframe] - TIMEFRAME_MS[b.timeframe])
}

/** Every stored series of a venue, by symbol and timeframe. */
export async function seriesOfVenue(orm: NodePgDatabase, venue: string): Promise<StoredSeries[]> {
  const rows = await orm
    .select()
    .from(series)
    .where(and(eq(series.venue, venue), gt(series.candles, 0)))
    .orderBy(asc(series.symbol))
  return rows
    .map(stored)
    .sort((a, b) =>
      a.symbol === b.symbol
        ? TIMEFRAMES.indexOf(a.timeframe) - TIMEFRAMES.indexOf(b.timeframe)
        : a.symbol < b.symbol
          ? -1
          : 1,
    )
}

/** A series as the API shows it. Candles missing between first and last follow from its count. */
export const shownSeries = (s: StoredSeries): Series => ({
  venue: s.venue,
  symbol: s.symbol,
  timeframe: s.timeframe,
  candles: s.candles,
  first: s.firstTs,
  last: s.lastTs,
  gapCount: s.gapCount,
  missingCandles: (s.lastTs - s.firstTs) / TIMEFRAME_MS[s.timeframe] + 1 - s.candles,
})

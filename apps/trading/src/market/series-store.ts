import type { Series } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { and, eq, gt, type SQL } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { matching } from '../ground/matching.ts'
import { series } from './tables.ts'

/** A stored series that has candles. Times are open times in ms. */
export type StoredSeries = typeof series.$inferSelect & {
  readonly timeframe: Timeframe
  readonly firstTs: number
  readonly lastTs: number
}

/** The smallest timeframe first. */
const storedWhere = async (orm: NodePgDatabase, where: SQL | undefined): Promise<StoredSeries[]> => {
  const rows = await orm
    .select()
    .from(series)
    .where(and(where, gt(series.candles, 0)))
  return (rows as StoredSeries[]).sort((a, b) => TIMEFRAME_MS[a.timeframe] - TIMEFRAME_MS[b.timeframe])
}

/** Every stored timeframe of a symbol, the smallest first. */
export const seriesOfSymbol = (orm: NodePgDatabase, venue: string, symbol: string): Promise<StoredSeries[]> =>
  storedWhere(orm, matching(series, { venue, symbol }))

/** Every stored series of a venue, by symbol and timeframe. */
export const seriesOfVenue = async (orm: NodePgDatabase, venue: string): Promise<StoredSeries[]> =>
  (await storedWhere(orm, eq(series.venue, venue))).sort((a, b) =>
    a.symbol === b.symbol ? 0 : a.symbol < b.symbol ? -1 : 1,
  )

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

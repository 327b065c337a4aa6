import type { ChartLine, WatchedSeries } from '@shapecast/contracts/charts'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { bound } from '../../ground/bound.ts'
import { matching } from '../../ground/matching.ts'
import type { SeriesMarket } from '../series-market.ts'
import { chartLines, watchlists } from './tables.ts'

interface ChartDeps extends Pick<SeriesMarket, 'venue' | 'requireSymbol'> {
  orm: NodePgDatabase
}

/** What users keep of charts: the series at hand, and what they have drawn. */
export const createChartService = (ctx: ChartDeps) => bound(ctx, { watchlist, keepWatchlist, lines, keepLines })

async function watchlist({ orm, venue }: ChartDeps, userId: string): Promise<{ series: WatchedSeries[] }> {
  const [row] = await orm
    .select({ series: watchlists.series })
    .from(watchlists)
    .where(matching(watchlists, { userId, venue }))
  return { series: row?.series ?? [] }
}

/** Throws `unknown_symbol`. */
async function keepWatchlist(ctx: ChartDeps, userId: string, series: WatchedSeries[]) {
  const { orm, venue, requireSymbol } = ctx
  for (const symbol of new Set(series.map((one) => one.symbol))) await requireSymbol(symbol)
  await orm
    .insert(watchlists)
    .values({ userId, venue, series })
    .onConflictDoUpdate({ target: [watchlists.userId, watchlists.venue], set: { series } })
  return { series }
}

async function lines({ orm, venue }: ChartDeps, userId: string, symbol: string): Promise<{ lines: ChartLine[] }> {
  const [row] = await orm
    .select({ lines: chartLines.lines })
    .from(chartLines)
    .where(matching(chartLines, { userId, venue, symbol }))
  return { lines: row?.lines ?? [] }
}

/** Throws `unknown_symbol`. */
async function keepLines(ctx: ChartDeps, userId: string, symbol: string, kept: ChartLine[]) {
  const { orm, venue, requireSymbol } = ctx
  await requireSymbol(symbol)
  await orm
    .insert(chartLines)
    .values({ userId, venue, symbol, lines: kept })
    .onConflictDoUpdate({ target: [chartLines.userId, chartLines.venue, chartLines.symbol], set: { lines: kept } })
  return { lines: kept }
}

export type ChartService = ReturnType<typeof createChartService>

import type { TrialKind, Trials } from '@shapecast/contracts/trials'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, inArray, not, sql, sum } from 'drizzle-orm'
import { hashData } from '../ground/hash-data.ts'
import { matching } from '../ground/matching.ts'
import { trials } from './tables.ts'

/** Series of one market and timeframe: more than one where several coins are traded on one balance. */
export interface TriedSeries {
  readonly venue: string
  readonly symbols: readonly string[]
  readonly timeframe: string
}

/**
 * Counts what a user tries, on each of its series: the same again (`tried`, plain data) once, of a search the most points
 * that were run. Ranges of candles are no part
 * of a trial, since the same on another range is no other choice; a training on other candles is another model.
 */
export async function countTrials(
  tx: Pick<Orm, 'insert'>,
  {
    userId,
    series,
    kind,
    tried,
    count = 1,
  }: { userId: string; series: TriedSeries; kind: TrialKind; tried: unknown; count?: number },
): Promise<void> {
  const { venue, symbols, timeframe } = series
  const hash = hashData(tried)
  await tx
    .insert(trials)
    .values(symbols.map((symbol) => ({ userId, venue, symbol, timeframe, kind, hash, count })))
    .onConflictDoUpdate({
      target: [trials.userId, trials.venue, trials.symbol, trials.timeframe, trials.kind, trials.hash],
      set: { count: sql`greatest(${trials.count}, excluded.count)` },
    })
}

/** What users tried on a series, together, without the trial `but`; of several series that with the most. */
export async function trialsOf(
  db: Pick<Orm, 'select'>,
  userIds: readonly string[],
  { venue, symbols, timeframe }: TriedSeries,
  but?: { kind: TrialKind; tried: unknown },
): Promise<Trials> {
  const found = await db
    .select({ symbol: trials.symbol, kind: trials.kind, count: sum(trials.count).mapWith(Number) })
    .from(trials)
    .where(
      and(
        matching(trials, { venue, timeframe }),
        inArray(trials.userId, [...userIds]),
        inArray(trials.symbol, [...symbols]),
        but && not(matching(trials, { kind: but.kind, hash: hashData(but.tried) })),
      ),
    )
    .groupBy(trials.symbol, trials.kind)
  const bySymbol = [...Map.groupBy(found, ({ symbol }) => symbol).values()].map(countOf)
  return bySymbol.sort((a, b) => b.count - a.count)[0] ?? { count: 0, byKind: {} }
}

/** All that a user tried, by series, the most tried first. */
export async function trialsOfUser(db: Pick<Orm, 'select'>, userId: string) {
  const { venue, symbol, timeframe, kind } = trials
  const found = await db
    .select({ venue, symbol, timeframe, kind, count: sum(trials.count).mapWith(Number) })
    .from(trials)
    .where(eq(trials.userId, userId))
    .groupBy(venue, symbol, timeframe, kind)
  const bySeries = Map.groupBy(found, (row) => `${row.venue} ${row.symbol} ${row.timeframe}`)
  return [...bySeries.values()]
    .map((kinds) => ({
      venue: kinds[0]!.venue,
      symbol: kinds[0]!.symbol,
      timeframe: kinds[0]!.timeframe,
      ...countOf(kinds),
    }))
    .sort((a, b) => b.count - a.count)
}

const countOf = (kinds: readonly { kind: TrialKind; count: number }[]): Trials => ({
  count: kinds.reduce((total, { count }) => total + count, 0),
  byKind: Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])),
})

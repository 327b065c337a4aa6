import type { Database, Orm } from '@shapecast/platform/database/database'
import { and, asc, eq, gte, lte } from 'drizzle-orm'
import type { SeriesName } from './import-store.ts'
import type { Run } from './missing-candles.ts'
import { knownGaps, series } from './tables.ts'

const idOf = async (orm: Orm, name: SeriesName): Promise<number | null> => {
  const where = and(eq(series.venue, name.venue), eq(series.symbol, name.symbol), eq(series.timeframe, name.timeframe))
  const [row] = await orm.select({ id: series.id }).from(series).where(where)
  return row?.id ?? null
}

/** The gaps within a range that the venue itself has, oldest first. */
export async function knownGapsOf(orm: Orm, name: SeriesName, range: Run): Promise<Run[]> {
  const id = await idOf(orm, name)
  if (id === null) return []
  return orm
    .select({ fromMs: knownGaps.fromTs, toMs: knownGaps.toTs })
    .from(knownGaps)
    .where(and(eq(knownGaps.seriesId, id), lte(knownGaps.fromTs, range.toMs), gte(knownGaps.toTs, range.fromMs)))
    .orderBy(asc(knownGaps.fromTs))
}

/**
 * Writes down that the venue was asked and has nothing there. A gap that was known in part, as where the venue was asked
 * again from within it, is one with what is new of it. A series without any candle gets its row by it.
 */
export async function keepGaps(
  { orm }: Database,
  name: SeriesName,
  gaps: readonly Run[],
  nowMs: number,
): Promise<void> {
  if (gaps.length === 0) return
  await orm.insert(series).values(name).onConflictDoNothing()
  const seriesId = (await idOf(orm, name))!
  for (const gap of gaps)
    await orm.transaction(async (tx) => {
      const overlaps = and(
        eq(knownGaps.seriesId, seriesId),
        lte(knownGaps.fromTs, gap.toMs),
        gte(knownGaps.toTs, gap.fromMs),
      )
      const parts = await tx.delete(knownGaps).where(overlaps).returning()
      const fromTs = Math.min(gap.fromMs, ...parts.map((part) => part.fromTs))
      const toTs = Math.max(gap.toMs, ...parts.map((part) => part.toTs))
      await tx
        .insert(knownGaps)
        .values({ seriesId, fromTs, toTs, checkedAtMs: nowMs })
        .onConflictDoUpdate({
          target: [knownGaps.seriesId, knownGaps.fromTs],
          set: { toTs, checkedAtMs: nowMs },
        })
    })
}

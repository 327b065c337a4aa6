import type { Candles } from '@shapecast/engine/candles'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { and, asc, eq, gte, lte } from 'drizzle-orm'
import { matching } from '../ground/matching.ts'
import type { SeriesName } from './import-store.ts'
import { knownGaps, series } from './tables.ts'

/** A run of candles: open times in ms of the first and the last. */
export interface Run {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * The runs of open times from `range.fromMs` to `range.toMs` (both on the grid of `stepMs`) that `ts` (ascending, on the
 * grid) does not have.
 */
export function missingRuns(ts: Float64Array, range: Run, stepMs: number): Run[] {
  const runs: Run[] = []
  let expected = range.fromMs
  for (const t of ts) {
    if (t < expected) continue
    if (t > range.toMs) break
    if (t > expected) runs.push({ fromMs: expected, toMs: t - stepMs })
    expected = t + stepMs
  }
  if (expected <= range.toMs) runs.push({ fromMs: expected, toMs: range.toMs })
  return runs
}

/** What is left of `runs` without `known` (any order): the part that nobody has an answer for yet. */
export function withoutKnown(runs: readonly Run[], known: readonly Run[], stepMs: number): Run[] {
  const sorted = [...known].sort((a, b) => a.fromMs - b.fromMs)
  return runs.flatMap((run) => {
    const left: Run[] = []
    let from = run.fromMs
    for (const gap of sorted) {
      if (gap.toMs < from || gap.fromMs > run.toMs) continue
      if (gap.fromMs > from) left.push({ fromMs: from, toMs: gap.fromMs - stepMs })
      from = Math.max(from, gap.toMs + stepMs)
    }
    if (from <= run.toMs) left.push({ fromMs: from, toMs: run.toMs })
    return left
  })
}

export const countOf = (runs: readonly Run[], stepMs: number): number =>
  runs.reduce((sum, run) => sum + (run.toMs - run.fromMs) / stepMs + 1, 0)

const idOf = async (orm: Orm, { venue, symbol, timeframe }: SeriesName): Promise<number | null> => {
  const where = matching(series, { venue, symbol, timeframe })
  const [row] = await orm.select({ id: series.id }).from(series).where(where)
  return row?.id ?? null
}

const overlapping = (seriesId: number, { fromMs, toMs }: Run) =>
  and(eq(knownGaps.seriesId, seriesId), lte(knownGaps.fromTs, toMs), gte(knownGaps.toTs, fromMs))

/** The gaps within a range that the venue itself has, oldest first. */
export async function knownGapsOf(orm: Orm, name: SeriesName, range: Run): Promise<Run[]> {
  const id = await idOf(orm, name)
  if (id === null) return []
  return orm
    .select({ fromMs: knownGaps.fromTs, toMs: knownGaps.toTs })
    .from(knownGaps)
    .where(overlapping(id, range))
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
      const parts = await tx.delete(knownGaps).where(overlapping(seriesId, gap)).returning()
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

/**
 * Tells the gaps of a venue from what is only not there yet: it is given every answer of the venue, in order, and a
 * candle is a gap once the venue has been asked for it and has sent a later one.
 */
export function createGapFinder(fromMs: number, stepMs: number): { next(candles: Candles, refused: number): Run[] } {
  let unanswered = fromMs
  let someRefused = false
  return {
    next(candles, refused) {
      someRefused ||= refused > 0
      const last = candles.ts.at(-1)
      if (last === undefined) return []
      const gaps = missingRuns(candles.ts, { fromMs: unanswered, toMs: last }, stepMs)
      unanswered = last + stepMs
      // A row that was refused is a candle that exists, in this answer or in one of such rows only before it.
      const found = someRefused ? [] : gaps
      someRefused = false
      return found
    },
  }
}

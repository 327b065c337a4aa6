import type { Orm } from '@shapecast/platform/database/database'
import { and, gte, inArray, lte, min } from 'drizzle-orm'
import { matching } from '../ground/matching.ts'
import { openedCandles } from './tables.ts'
import type { TriedSeries } from './trials.ts'

/** Open times of the first and the last candle, ms. */
export interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/** Writes down that a run of a user showed what became of these candles. */
export async function openCandles(
  tx: Pick<Orm, 'insert'>,
  { userId, series: { venue, symbols, timeframe }, fromMs, toMs }: Stretch & { userId: string; series: TriedSeries },
  nowMs: number,
): Promise<void> {
  await tx
    .insert(openedCandles)
    .values(symbols.map((symbol) => ({ userId, venue, symbol, timeframe, fromMs, toMs, openedAtMs: nowMs })))
    .onConflictDoNothing()
}

/** When a run of a user first reached into a stretch, ms; null where none did. */
export async function openedAt(
  db: Pick<Orm, 'select'>,
  userId: string,
  { venue, symbols, timeframe }: TriedSeries,
  { fromMs, toMs }: Stretch,
): Promise<number | null> {
  const [found] = await db
    .select({ at: min(openedCandles.openedAtMs) })
    .from(openedCandles)
    .where(
      and(
        matching(openedCandles, { userId, venue, timeframe }),
        inArray(openedCandles.symbol, [...symbols]),
        lte(openedCandles.fromMs, toMs),
        gte(openedCandles.toMs, fromMs),
      ),
    )
  return found?.at ?? null
}

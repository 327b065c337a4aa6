import type pg from 'pg'

/** For so long it can be looked up what a venue has changed of a closed candle. docs/markets.md says so. */
export const REVISIONS_KEPT_DAYS = 90

const DAY_MS = 24 * 60 * 60_000
const AT_ONCE = 10_000

/**
 * Deletes the notes of revised candles that are older than 90 days, a piece at a time, so that nobody waits for it; the
 * candles themselves stay. Returns how many there were.
 */
export async function forgetOldRevisions(pool: Pick<pg.Pool, 'query'>, nowMs: number): Promise<number> {
  const beforeMs = Math.floor(nowMs) - REVISIONS_KEPT_DAYS * DAY_MS
  for (let forgotten = 0; ; ) {
    const { rowCount } = await pool.query(
      `delete from trading.candle_revisions where id = any(array(
         select id from trading.candle_revisions where at_ms < $1 limit $2))`,
      [beforeMs, AT_ONCE],
    )
    forgotten += rowCount ?? 0
    if ((rowCount ?? 0) < AT_ONCE) return forgotten
  }
}

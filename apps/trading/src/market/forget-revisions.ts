import type { Orm } from '@shapecast/platform/database/database'
import { sql } from 'drizzle-orm'
import { AT_ONCE, pruneRows } from '../ground/prune-rows.ts'
import { candleRevisions } from './tables.ts'

/** For so long it can be looked up what a venue has changed of a closed candle. docs/markets.md says so. */
export const REVISIONS_KEPT_DAYS = 90

const DAY_MS = 24 * 60 * 60_000

/** Deletes the notes of revised candles that are older than 90 days; the candles themselves stay. Answers how many there were. */
export const forgetOldRevisions = (orm: Orm, nowMs: number): Promise<number> =>
  pruneRows(orm, [
    sql`delete from ${candleRevisions} where id in (select id from ${candleRevisions}
      where at_ms < ${Math.floor(nowMs) - REVISIONS_KEPT_DAYS * DAY_MS} limit ${AT_ONCE})`,
  ])

import { type SQL, sql } from 'drizzle-orm'
import { AT_ONCE, STEPS } from '../ground/prune-rows.ts'
import { botDecisions, botEquity, botStates } from './tables.ts'

const DAY_MS = 86_400_000

/** Deletes of candles before the newest `kept` of each bot its decisions, and its equity but for the close of each UTC day. */
export const oldRowsOfBots = (kept: number): SQL[] => {
  const before = sql`${kept}::bigint * t.step_ms`
  return [
    sql`delete from ${botDecisions} where id = any(array(
      select d.id from ${botStates} s join ${STEPS} on t.timeframe = s.timeframe
      join ${botDecisions} d on d.bot_id = s.bot_id and d.candle_ts <= s.decided_ts - ${before}
      limit ${AT_ONCE}))`,
    sql`delete from ${botEquity} where (bot_id, at_ms) in (
      select e.bot_id, e.at_ms from ${botStates} s join ${STEPS} on t.timeframe = s.timeframe
      join ${botEquity} e on e.bot_id = s.bot_id and e.at_ms <= s.decided_ts + t.step_ms - ${before}
      where e.at_ms % ${DAY_MS} <> 0 limit ${AT_ONCE})`,
  ]
}

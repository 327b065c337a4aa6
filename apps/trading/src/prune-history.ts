import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import { sql } from 'drizzle-orm'

/** Rows deleted at a time, so that nobody waits for it. */
const AT_ONCE = 10_000
const DAY_MS = 86_400_000
/** Of accounts the last hour of each older UTC day stays. */
const HOURS_KEPT_MS = 90 * DAY_MS

const STEPS = sql`(values ${sql.join(
  Object.entries(TIMEFRAME_MS).map(([timeframe, ms]) => sql`(${timeframe}::text, ${ms}::bigint)`),
  sql`, `,
)}) as t(timeframe, step_ms)`

/**
 * Deletes what bots and charts have collected of candles before the newest `kept`: decisions, equity but for the close
 * of each UTC day, and forecasts of charts, which are made again when somebody asks; and what accounts were worth at the
 * hours before the last 90 days, but for the last of each UTC day. Trades, orders, fills, the ledger and runs of backtests
 * stay. Answers how many rows went.
 */
export async function pruneHistory({ orm }: Pick<Database, 'orm'>, kept: number): Promise<number> {
  const before = sql`${kept}::bigint * t.step_ms`
  const pieces = [
    sql`delete from trading.bot_decisions where id = any(array(
      select d.id from trading.bot_states s join ${STEPS} on t.timeframe = s.timeframe
      join trading.bot_decisions d on d.bot_id = s.bot_id and d.candle_ts <= s.decided_ts - ${before}
      limit ${AT_ONCE}))`,
    sql`delete from trading.bot_equity where (bot_id, at_ms) in (
      select e.bot_id, e.at_ms from trading.bot_states s join ${STEPS} on t.timeframe = s.timeframe
      join trading.bot_equity e on e.bot_id = s.bot_id and e.at_ms <= s.decided_ts + t.step_ms - ${before}
      where e.at_ms % ${DAY_MS} <> 0 limit ${AT_ONCE})`,
    // A month at a time, since what stays of older days is not looked through every hour.
    sql`delete from trading.account_equity where (account_id, at_ms) in (
      select e.account_id, e.at_ms from (select venue, max(at_ms) - ${HOURS_KEPT_MS} as at_ms
        from trading.account_equity group by venue) oldest
      join trading.account_equity e on e.venue = oldest.venue
        and e.at_ms < oldest.at_ms and e.at_ms >= oldest.at_ms - ${30 * DAY_MS}
      where exists (select 1 from trading.account_equity later where later.account_id = e.account_id
        and later.at_ms > e.at_ms and later.at_ms < e.at_ms - e.at_ms % ${DAY_MS} + ${DAY_MS})
      limit ${AT_ONCE})`,
    sql`delete from trading.predictions where (artifact_id, ts) in (
      select p.artifact_id, p.ts from trading.artifacts a join ${STEPS} on t.timeframe = a.timeframe
      cross join lateral (select max(ts) as ts from trading.predictions n where n.artifact_id = a.id) newest
      join trading.predictions p on p.artifact_id = a.id and p.ts <= newest.ts - ${before}
      limit ${AT_ONCE})`,
  ]
  let pruned = 0
  for (const piece of pieces)
    for (let gone = AT_ONCE; gone === AT_ONCE; pruned += gone) gone = (await orm.execute(piece)).rowCount ?? 0
  return pruned
}

import { type SQL, sql } from 'drizzle-orm'
import { AT_ONCE } from '../ground/prune-rows.ts'
import { accountEquity } from './tables.ts'

const DAY_MS = 86_400_000
const HOURS_KEPT_MS = 90 * DAY_MS

/**
 * Deletes what accounts were worth at the hours before the last 90 days, but for the last of each UTC day. A month at a
 * time, since what stays of older days is not looked through every hour.
 */
export const oldEquity = (): SQL => sql`delete from ${accountEquity} where (account_id, at_ms) in (
  select e.account_id, e.at_ms from (select venue, max(at_ms) - ${HOURS_KEPT_MS} as at_ms
    from ${accountEquity} group by venue) oldest
  join ${accountEquity} e on e.venue = oldest.venue
    and e.at_ms < oldest.at_ms and e.at_ms >= oldest.at_ms - ${30 * DAY_MS}
  where exists (select 1 from ${accountEquity} later where later.account_id = e.account_id
    and later.at_ms > e.at_ms and later.at_ms < e.at_ms - e.at_ms % ${DAY_MS} + ${DAY_MS})
  limit ${AT_ONCE})`

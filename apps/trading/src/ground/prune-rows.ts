import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { Orm } from '@shapecast/platform/database/database'
import { type SQL, sql } from 'drizzle-orm'

/** Rows that a statement deletes at most, so that nobody waits for it. */
export const AT_ONCE = 10_000

/** How long candles are, as `t (timeframe, step_ms)`. */
export const STEPS = sql`(values ${sql.join(
  Object.entries(TIMEFRAME_MS).map(([timeframe, ms]) => sql`(${timeframe}::text, ${ms}::bigint)`),
  sql`, `,
)}) as t(timeframe, step_ms)`

/** Runs each statement until it finds fewer than `AT_ONCE` rows. Answers how many rows went. */
export async function pruneRows(orm: Orm, statements: readonly SQL[]): Promise<number> {
  let pruned = 0
  for (const statement of statements)
    for (let gone = AT_ONCE; gone === AT_ONCE; pruned += gone) gone = (await orm.execute(statement)).rowCount ?? 0
  return pruned
}

import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { sql } from 'drizzle-orm'

/** The rows (timeframe, ms between its candles) of a `values` list. */
export const TIMEFRAME_STEPS = sql.join(
  Object.entries(TIMEFRAME_MS).map(([timeframe, ms]) => sql`(${timeframe}::text, ${ms}::bigint)`),
  sql`, `,
)

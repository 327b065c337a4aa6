import type { Database } from '@shapecast/platform/database/database'
import { oldRowsOfBots } from './bots/old-rows.ts'
import { oldPredictions } from './forecasts/prediction-store.ts'
import { pruneRows } from './ground/prune-rows.ts'
import { oldEquity } from './ledger/old-equity.ts'

/**
 * Deletes what bots, charts and accounts have collected and nobody needs any more; of candles the newest `kept` stay.
 * Trades, orders, fills, the ledger and runs of backtests stay. Answers how many rows went.
 */
export const pruneHistory = ({ orm }: Pick<Database, 'orm'>, kept: number): Promise<number> =>
  pruneRows(orm, [...oldRowsOfBots(kept), oldEquity(), oldPredictions(kept)])

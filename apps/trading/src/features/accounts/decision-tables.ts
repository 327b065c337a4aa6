import type { AutoTrade } from '@shapecast/contracts/accounts'
import type { Prediction } from '@shapecast/contracts/predictions'
import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { tradingSchema } from '../../trading-schema.ts'
import { ms } from './columns.ts'
import { realOrders } from './real/tables.ts'
import { accountOrders, accounts } from './tables.ts'

/** Append-only: every decision to trade by a model, whatever came of it. */
export const autoTradeDecisions = tradingSchema.table(
  'auto_trade_decisions',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    symbol: text('symbol').notNull(),
    timeframe: text('timeframe').notNull(),
    /** Open time of the candle at whose close the prediction was made, ms. */
    candleTs: ms('candle_ts').notNull(),
    prediction: jsonb('prediction').$type<Prediction>().notNull(),
    /** Base, as asked for. */
    amount: doublePrecision('amount').notNull(),
    enableStopLoss: boolean('enable_stop_loss').notNull(),
    /** `refused`: the account or the market did not allow what the prediction asked for. */
    action: text('action', { enum: ['bought', 'sold', 'none', 'refused'] }).notNull(),
    /** In words. */
    reason: text('reason').notNull(),
    orderId: uuid('order_id').references(() => accountOrders.id),
    stopOrderId: uuid('stop_order_id').references(() => accountOrders.id),
    isVirtual: boolean('is_virtual').notNull().default(true),
    realOrderId: uuid('real_order_id').references(() => realOrders.id),
    atMs: ms('at_ms').notNull(),
  },
  (t) => [index('auto_trade_decisions_by_candle').on(t.accountId, t.symbol, t.timeframe, t.candleTs)],
)
export type AutoTradeAction = AutoTrade['action'] | 'refused'

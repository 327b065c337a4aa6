import type { Orm } from '@shapecast/platform/database/database'
import { type SQL, sql } from 'drizzle-orm'
import { type KeptOfUsers, ofUser, type Whose } from '../ground/kept-of-users.ts'
import { changeStatusWhere, statusBy } from './bot-status.ts'
import { botDecisions, botEquity, botHandOrders, bots, botTrades } from './tables.ts'

export const botsOf = (userId: string): SQL => sql`select id from ${bots} where user_id = ${userId}`

const ofBots = ({ bots: theirs }: Whose): SQL => sql`bot_id in (${theirs})`

export const BOTS_OF_USERS: KeptOfUsers = {
  bots: {
    table: bots,
    columns: `id, venue, name, description, strategy, status, status_reason, visibility, is_virtual, trading_pairs,
      position_size, max_drawdown, risk_level, market_type, leverage, take_profit_pct, stop_loss_pct, initial_balance,
      total_trades, winning_trades, closed_pnl, last_trade_at_ms, ml_model_version, ml_model_versions, consensus_config,
      parameters, created_at_ms`,
    deleted: ofUser,
  },
  botTrades: {
    table: botTrades,
    columns: `bot_id, symbol, side, entry_time_ms, exit_time_ms, entry_price, exit_price, quantity, net_pnl, fees,
      funding, exit_reason`,
    where: ofBots,
  },
  botDecisions: {
    table: botDecisions,
    columns: 'bot_id, symbol, candle_ts, votes, rule, signal, action, reason, target, order_id, decided_at_ms',
    where: ofBots,
  },
  botHandOrders: {
    table: botHandOrders,
    columns: 'bot_id, symbol, asked_ms, candle_ts, order_id, quantity, price, filled_price, reason',
    where: ofBots,
  },
  botEquity: { table: botEquity, columns: 'bot_id, at_ms, equity', where: ofBots },
}

/** Pauses the bots of somebody who may not trade real money any more. They hold on to what they have. */
export const pauseRealBots = (tx: Orm, userId: string): Promise<void> =>
  changeStatusWhere(tx, sql`${bots.userId} = ${userId} and not ${bots.isVirtual}`, statusBy('owner_not_allowed'))

import { type SQL, sql } from 'drizzle-orm'
import { type KeptOfUsers, ofUser, type Whose } from '../ground/kept-of-users.ts'
import { accountEquity, accounts, autoTradeDecisions, fills, orders, positions } from './tables.ts'

/** Ledgers of real money stay when their bot is deleted: they are of whose key it traded with. */
const own = ({ userId, bots }: Pick<Whose, 'userId' | 'bots'>): SQL =>
  sql`(owner_kind = 'user' and owner_id = ${userId})
    or (owner_kind = 'bot' and (owner_id in (${bots}) or key_user_id = ${userId}))`

export const accountsOf = (whose: Pick<Whose, 'userId' | 'bots'>): SQL =>
  sql`select id from ${accounts} where ${own(whose)}`

const ofAccounts = ({ accounts: theirs }: Whose): SQL => sql`account_id in (${theirs})`

/** The ledgers of virtual bots are deleted with their owner, and what accounts were worth; orders and all else follow them. */
export const LEDGER_OF_USERS: KeptOfUsers = {
  accounts: {
    table: accounts,
    columns: 'id, owner_kind, venue, kind, market, network, balance, fees, created_at_ms',
    where: own,
    deleted: ({ bots }) => sql`owner_kind = 'bot' and kind = 'virtual' and owner_id in (${bots})`,
  },
  orders: {
    table: orders,
    columns: `id, account_id, client_order_id, venue_order_id, symbol, side, type, reduce_only, status, status_reason,
      quantity, filled, price, average, guard_price, source, created_at_ms, closed_at_ms`,
    where: ofAccounts,
  },
  fills: {
    table: fills,
    columns: 'order_id, account_id, trade_id, price, quantity, notional, fee, fees, pnl, exit_reason, at_ms',
    where: ofAccounts,
  },
  positions: { table: positions, columns: 'account_id, symbol, quantity, cost, opened_at_ms', where: ofAccounts },
  accountEquity: {
    table: accountEquity,
    columns: 'account_id, venue, bot_id, is_virtual, at_ms, equity, closed_pnl, open_pnl, deposits',
    deleted: ofUser,
  },
  autoTradeDecisions: {
    table: autoTradeDecisions,
    columns: `account_id, symbol, timeframe, candle_ts, prediction, amount, enable_stop_loss, action, reason, order_id,
      at_ms`,
    where: ofAccounts,
  },
}

import type { JobKind } from '@shapecast/contracts/job-status'
import type { Orm } from '@shapecast/platform/database/database'
import { type SQL, sql } from 'drizzle-orm'
import { changeStatusWhere, statusBy } from './bots/bot-status.ts'
import { bots } from './bots/tables.ts'

/** What leaves of each table, by name: a column that is added stays here until somebody adds it. */
const EXPORTED = {
  bots: `id, venue, name, description, strategy, status, status_reason, visibility, is_virtual, trading_pairs,
    position_size, max_drawdown, risk_level, market_type, leverage, take_profit_pct, stop_loss_pct, initial_balance,
    total_trades, winning_trades, closed_pnl, last_trade_at_ms, ml_model_version, ml_model_versions, consensus_config, parameters,
    created_at_ms`,
  bot_trades: `bot_id, symbol, side, entry_time_ms, exit_time_ms, entry_price, exit_price, quantity, net_pnl, fees,
    funding, exit_reason`,
  bot_decisions: 'bot_id, symbol, candle_ts, votes, rule, signal, action, reason, target, order_id, decided_at_ms',
  bot_equity: 'bot_id, at_ms, equity',
  openai_calls: `bot_id, symbol, timeframe, candle_ts, model, calls, outcome, signal, confidence, stop_loss, reasoning,
    input_tokens, output_tokens, cost_usd`,
  accounts: 'id, owner_kind, venue, kind, market, network, balance, fees, realised_pnl, created_at_ms',
  orders: `id, account_id, client_order_id, venue_order_id, symbol, side, type, reduce_only, status, status_reason,
    quantity, filled, price, average, guard_price, source, created_at_ms, closed_at_ms`,
  fills: 'order_id, account_id, trade_id, price, quantity, notional, fee, fees, pnl, exit_reason, at_ms',
  positions: 'account_id, symbol, quantity, cost, opened_at_ms',
  account_equity: 'account_id, venue, bot_id, at_ms, equity, closed_pnl, open_pnl, deposits',
  auto_trade_decisions: `account_id, symbol, timeframe, candle_ts, prediction, amount, enable_stop_loss, action, reason,
    order_id, at_ms`,
  exchange_keys: 'venue, network, saved_at_ms',
  trading_limits: 'venue, network, max_order, max_day, saved_at_ms',
  datasets: 'id, venue, symbol, timeframe, rows, from_ts, to_ts, hash, active, created_at_ms',
  artifacts: 'id, version, venue, symbol, timeframe, hash, origin, created_at_ms',
  backtest_runs: 'id, bot_id, venue, symbol, timeframe, summary, name, note, created_at_ms',
  jobs: 'id, payload, status, progress, result, error, created_at_ms, finished_at_ms',
} as const

/**
 * Everything that is kept of a user, by subject. Of exchange keys only that there are any. `worthOf` says what their bots
 * are worth now.
 */
export async function exportUser(
  orm: Orm,
  userId: string,
  worthOf: (userId: string) => Promise<readonly object[]> = async () => [],
): Promise<Record<string, unknown>> {
  const bots = sql`select id from trading.bots where user_id = ${userId}`
  // Books of real money stay when their bot is deleted: they are of whose key it traded with.
  const own = sql`(owner_kind = 'user' and owner_id = ${userId})
    or (owner_kind = 'bot' and (owner_id in (${bots}) or key_user_id = ${userId}))`
  const accounts = sql`select id from trading.accounts where ${own}`
  const rows = async (table: keyof typeof EXPORTED, condition: SQL = sql`user_id = ${userId}`) =>
    (await orm.execute(sql`select ${sql.raw(`${EXPORTED[table]} from trading.${table}`)} where ${condition}`)).rows
  const jobsOf = (kind: JobKind) => sql`user_id = ${userId} and kind = ${kind}`
  const ofBots = sql`bot_id in (${bots})`
  const ofAccounts = sql`account_id in (${accounts})`
  return {
    bots: await rows('bots'),
    botWorth: await worthOf(userId),
    botTrades: await rows('bot_trades', ofBots),
    botDecisions: await rows('bot_decisions', ofBots),
    botEquity: await rows('bot_equity', ofBots),
    openaiCalls: await rows('openai_calls', ofBots),
    accounts: await rows('accounts', own),
    orders: await rows('orders', ofAccounts),
    fills: await rows('fills', ofAccounts),
    positions: await rows('positions', ofAccounts),
    accountEquity: await rows('account_equity'),
    autoTradeDecisions: await rows('auto_trade_decisions', ofAccounts),
    exchangeKeys: await rows('exchange_keys'),
    tradingLimits: await rows('trading_limits'),
    datasets: await rows('datasets'),
    trainings: await rows('jobs', jobsOf('training')),
    uploadedModels: await rows('artifacts', sql`uploaded_by = ${userId}`),
    backtestJobs: await rows('jobs', jobsOf('backtest')),
    backtestRuns: await rows('backtest_runs'),
    downloads: await rows('jobs', jobsOf('download')),
  }
}

/** Pauses the bots of somebody who may not trade real money any more. They hold on to what they have. */
export const pauseRealBots = (tx: Orm, userId: string): Promise<void> =>
  changeStatusWhere(tx, sql`${bots.userId} = ${userId} and not ${bots.isVirtual}`, statusBy('owner_not_allowed'))

/**
 * Deletes what a user has here: bots with all that they did and the books of virtual ones, exchange keys, limits, datasets,
 * backtests. What others rely on and what was on record stays under the id, which then leads to nobody: models and their
 * trainings, the person's own books and those of bots with real money.
 */
export async function deleteUser(tx: Orm, userId: string): Promise<void> {
  await tx.execute(sql`delete from trading.accounts where owner_kind = 'bot' and kind = 'virtual'
    and owner_id in (select id from trading.bots where user_id = ${userId})`)
  for (const table of ['bots', 'exchange_keys', 'trading_limits', 'datasets', 'backtest_runs', 'account_equity'])
    await tx.execute(sql`delete from ${sql.raw(`trading.${table}`)} where user_id = ${userId}`)
  await tx.execute(sql`delete from trading.jobs where user_id = ${userId} and kind = 'backtest'`)
}

import type { Orm } from '@shapecast/platform/database/database'
import { type SQL, sql } from 'drizzle-orm'

const LEAVING = 'Its owner is deleting the account.'

/** Stops every bot of a user: what it holds is closed at the next price. */
export async function stopBots(tx: Orm, userId: string): Promise<void> {
  await tx.execute(sql`update trading.bots set status = 'stopped', status_reason = ${LEAVING}
    where user_id = ${userId} and status <> 'stopped'`)
}

const ofBots = (table: SQL, userId: string) =>
  sql`select t.* from ${table} t join trading.bots b on b.id = t.bot_id where b.user_id = ${userId}`
const ofAccounts = (table: SQL, userId: string) =>
  sql`select t.* from ${table} t join trading.accounts a on a.id = t.account_id where a.user_id = ${userId}`
const ofUser = (table: SQL, userId: string) => sql`select * from ${table} where user_id = ${userId}`

/** Everything that is kept of a user, by subject. Of exchange keys only that there are any. */
export async function exportUser(orm: Orm, userId: string): Promise<Record<string, unknown>> {
  const rows = async (query: SQL) => (await orm.execute(query)).rows
  return {
    bots: await rows(ofUser(sql`trading.bots`, userId)),
    botTrades: await rows(ofBots(sql`trading.bot_trades`, userId)),
    botDecisions: await rows(ofBots(sql`trading.bot_decisions`, userId)),
    accounts: await rows(ofUser(sql`trading.accounts`, userId)),
    orders: await rows(ofAccounts(sql`trading.account_orders`, userId)),
    realOrders: await rows(ofAccounts(sql`trading.real_orders`, userId)),
    datasets: await rows(ofUser(sql`trading.datasets`, userId)),
    trainings: await rows(ofUser(sql`trading.trainings`, userId)),
    backtests: await rows(ofUser(sql`trading.backtest_jobs`, userId)),
    exchangeKeys: await rows(sql`select venue, network from trading.exchange_keys where user_id = ${userId}`),
  }
}

/**
 * Deletes what a user has here: bots with all that they did, exchange keys, datasets. Models, their trainings and the
 * ledgers of orders stay under the id, as what others rely on and what was on record.
 */
export async function deleteUser(tx: Orm, userId: string): Promise<void> {
  await tx.execute(sql`delete from trading.bots where user_id = ${userId}`)
  await tx.execute(sql`delete from trading.exchange_keys where user_id = ${userId}`)
  await tx.execute(sql`delete from trading.datasets where user_id = ${userId}`)
}

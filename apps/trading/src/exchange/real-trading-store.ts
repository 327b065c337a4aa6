import { DEFAULT_MAX_BOTS_NOTIONAL, DEFAULT_MAX_ORDERS_A_MINUTE } from '@shapecast/contracts/real-bots'
import type { Orm } from '@shapecast/platform/database/database'
import { and, count, eq, gt, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { ownedPositions, realBotsAt } from '../ledger/account-store.ts'
import { numberOf, type Units, unitsOf } from '../ledger/money.ts'
import { IS_UNSETTLED, ownedOrders, sumOf } from '../ledger/order-store.ts'
import { accounts, orders, positions } from '../ledger/tables.ts'
import type { SentOrder } from './sent-order-store.ts'
import { type RealTradingRow, realTrading } from './tables.ts'
import type { ExchangeContext } from './venue-accounts.ts'

// Whether bots may trade real money on the venue and network in use, how much they may, and what they have there.

type At = Pick<ExchangeContext, 'market' | 'network'>

const ofBots = ({ market, network }: At) => realBotsAt(market.venue, network)
const here = ({ market, network }: At) => and(eq(realTrading.venue, market.venue), eq(realTrading.network, network))

const byDefault = ({ market, network }: At): RealTradingRow => ({
  venue: market.venue,
  network,
  killedAtMs: null,
  killedBy: null,
  killedReason: null,
  closing: false,
  maxBots: unitsOf(DEFAULT_MAX_BOTS_NOTIONAL),
  maxOrdersAMinute: DEFAULT_MAX_ORDERS_A_MINUTE,
})

/** Unsettled orders of bots, or of one bot, the oldest first, with whose key they were sent. */
export const unsettled = (at: At, orm: Orm, botId?: string): Promise<SentOrder[]> =>
  ownedOrders(orm, { order: orders, userId: sql<string>`${accounts.keyUserId}`, market: accounts.market })
    .where(and(ofBots(at), IS_UNSETTLED, botId === undefined ? undefined : eq(accounts.ownerId, botId)))
    .orderBy(orders.seq)

/** No stop-loss of a bot is placed from now on. */
export async function guardNothing(at: At, orm: Orm): Promise<void> {
  const accountsOfBots = orm.select({ id: accounts.id }).from(accounts).where(ofBots(at))
  const guarded = and(isNotNull(orders.nextGuardMs), inArray(orders.accountId, accountsOfBots))
  await orm.update(orders).set({ nextGuardMs: null }).where(guarded)
}

/** Bots with orders that they have not applied. */
export async function withNews(at: At, orm: Orm): Promise<string[]> {
  const news = and(ofBots(at), eq(orders.toSettle, true))
  const rows = await ownedOrders(orm, { botId: accounts.ownerId }).where(news).groupBy(accounts.ownerId)
  return rows.map(({ botId }) => botId)
}

/** Bots with a position on futures. */
export async function inPosition(at: At, orm: Orm): Promise<string[]> {
  const held = and(ofBots(at), eq(accounts.market, 'futures'), ne(positions.quantity, 0n))
  const rows = await ownedPositions(orm, { botId: accounts.ownerId }).where(held).groupBy(accounts.ownerId)
  return rows.map(({ botId }) => botId)
}

/** What bots hold, base; negative of a short. */
export async function holdings(at: At, orm: Orm): Promise<{ botId: string; symbol: string; quantity: number }[]> {
  const { symbol, quantity } = positions
  const rows = await ownedPositions(orm, { botId: accounts.ownerId, symbol, quantity })
    .where(and(ofBots(at), ne(quantity, 0n)))
    .orderBy(accounts.ownerId, symbol)
  return rows.map((held) => ({ ...held, quantity: numberOf(held.quantity) }))
}

export async function read(at: At, orm: Orm): Promise<RealTradingRow> {
  const [row] = await orm.select().from(realTrading).where(here(at))
  return row ?? byDefault(at)
}

/** The same until the transaction ends: writing an order down and forbidding it take turns. */
export async function lock(at: At, tx: Orm): Promise<RealTradingRow> {
  await tx.insert(realTrading).values(byDefault(at)).onConflictDoNothing()
  const [row] = await tx.select().from(realTrading).where(here(at)).for('update')
  return row!
}

/** Under the lock. */
export async function change(at: At, tx: Orm, set: Partial<Omit<RealTradingRow, 'venue' | 'network'>>): Promise<void> {
  await tx.update(realTrading).set(set).where(here(at))
}

/** Quote that bots hold, at what was paid for it, and that their purchases may still cost. */
export async function notional(at: At, orm: Orm): Promise<Units> {
  const [held] = await ownedPositions(orm, { sum: sumOf(sql`abs(${positions.cost})`) }).where(ofBots(at))
  const [ordered] = await ownedOrders(orm, { sum: sumOf(orders.counted) }).where(and(ofBots(at), IS_UNSETTLED))
  return held!.sum + ordered!.sum
}

/** Purchases of bots since then; of one bot without those that took what a purchase before them had left. */
export async function purchasesSince(at: At, orm: Orm, sinceMs: number, accountId?: string): Promise<number> {
  const ofOne = accountId === undefined ? undefined : and(eq(orders.accountId, accountId), isNull(orders.restOfId))
  const since = and(ofBots(at), gt(orders.counted, 0n), gt(orders.createdAtMs, sinceMs), ofOne)
  const [row] = await ownedOrders(orm, { n: count() }).where(since)
  return row?.n ?? 0
}

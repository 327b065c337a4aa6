import type { Network } from '@shapecast/contracts/accounts'
import { DEFAULT_MAX_BOTS_NOTIONAL, DEFAULT_MAX_ORDERS_A_MINUTE } from '@shapecast/contracts/real-bots'
import type { Orm } from '@shapecast/platform/database/database'
import { and, count, eq, gt, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { ownedPositions, realBotsAt } from '../ledger/account-store.ts'
import { type Units, unitsOf } from '../ledger/money.ts'
import { IS_UNSETTLED, ownedOrders, sumOf } from '../ledger/order-store.ts'
import { accounts, orders, positions } from '../ledger/tables.ts'
import type { SentOrder } from './sent-order-store.ts'
import { type RealTradingRow, realTrading } from './tables.ts'

/** Whether bots may trade real money on one venue and network, how much they may, and what they have there. */
export const createRealTradingStore = (venue: string, network: Network) => {
  const ofBots = realBotsAt(venue, network)
  const here = and(eq(realTrading.venue, venue), eq(realTrading.network, network))

  const byDefault: RealTradingRow = {
    venue,
    network,
    killedAtMs: null,
    killedBy: null,
    killedReason: null,
    closing: false,
    maxBots: unitsOf(DEFAULT_MAX_BOTS_NOTIONAL),
    maxOrdersAMinute: DEFAULT_MAX_ORDERS_A_MINUTE,
  }
  return {
    /** Unsettled orders of bots, or of one bot, the oldest first, with whose key they were sent. */
    unsettled: (orm: Orm, botId?: string): Promise<SentOrder[]> =>
      ownedOrders(orm, { order: orders, userId: sql<string>`${accounts.keyUserId}`, market: accounts.market })
        .where(and(ofBots, IS_UNSETTLED, botId === undefined ? undefined : eq(accounts.ownerId, botId)))
        .orderBy(orders.seq),

    /** No stop-loss of a bot is placed from now on. */
    async guardNothing(orm: Orm): Promise<void> {
      const accountsOfBots = orm.select({ id: accounts.id }).from(accounts).where(ofBots)
      const guarded = and(isNotNull(orders.nextGuardMs), inArray(orders.accountId, accountsOfBots))
      await orm.update(orders).set({ nextGuardMs: null }).where(guarded)
    },

    /** Bots with orders that they have not applied. */
    async withNews(orm: Orm): Promise<string[]> {
      const rows = await ownedOrders(orm, { botId: accounts.ownerId })
        .where(and(ofBots, eq(orders.toSettle, true)))
        .groupBy(accounts.ownerId)
      return rows.map(({ botId }) => botId)
    },

    /** Bots with a position on futures. */
    async inPosition(orm: Orm): Promise<string[]> {
      const rows = await ownedPositions(orm, { botId: accounts.ownerId })
        .where(and(ofBots, eq(accounts.market, 'futures'), ne(positions.quantity, 0n)))
        .groupBy(accounts.ownerId)
      return rows.map(({ botId }) => botId)
    },

    /** What bots hold; negative of a short. */
    holdings: (orm: Orm): Promise<{ botId: string; symbol: string; quantity: Units }[]> =>
      ownedPositions(orm, { botId: accounts.ownerId, symbol: positions.symbol, quantity: positions.quantity })
        .where(and(ofBots, ne(positions.quantity, 0n)))
        .orderBy(accounts.ownerId, positions.symbol),

    async read(orm: Orm): Promise<RealTradingRow> {
      const [row] = await orm.select().from(realTrading).where(here)
      return row ?? byDefault
    },

    /** The same until the transaction ends: writing an order down and forbidding it take turns. */
    async lock(tx: Orm): Promise<RealTradingRow> {
      await tx.insert(realTrading).values(byDefault).onConflictDoNothing()
      const [row] = await tx.select().from(realTrading).where(here).for('update')
      return row!
    },

    /** Under the lock. */
    async change(tx: Orm, set: Partial<Omit<RealTradingRow, 'venue' | 'network'>>): Promise<void> {
      await tx.update(realTrading).set(set).where(here)
    },

    /** Quote that bots hold, at what was paid for it, and that their purchases may still cost. */
    async notional(orm: Orm): Promise<Units> {
      const [held] = await ownedPositions(orm, { sum: sumOf(sql`abs(${positions.cost})`) }).where(ofBots)
      const [ordered] = await ownedOrders(orm, { sum: sumOf(orders.counted) }).where(and(ofBots, IS_UNSETTLED))
      return held!.sum + ordered!.sum
    },

    /** Purchases of bots since then; of one bot without those that took what a purchase before them had left. */
    async purchasesSince(orm: Orm, sinceMs: number, accountId?: string): Promise<number> {
      const [row] = await ownedOrders(orm, { n: count() }).where(
        and(
          ofBots,
          gt(orders.counted, 0n),
          gt(orders.createdAtMs, sinceMs),
          accountId === undefined ? undefined : and(eq(orders.accountId, accountId), isNull(orders.restOfId)),
        ),
      )
      return row?.n ?? 0
    },
  }
}

export type RealTradingStore = ReturnType<typeof createRealTradingStore>

import type { Network } from '@shapecast/contracts/accounts'
import { DEFAULT_MAX_BOTS_NOTIONAL, DEFAULT_MAX_ORDERS_A_MINUTE } from '@shapecast/contracts/real-bots'
import type { Orm } from '@shapecast/platform/database/database'
import { and, count, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Units, unitsOf, unitsOfDecimal } from '../ledger/money.ts'
import { ownedOrders, UNSETTLED } from '../ledger/order-store.ts'
import { accounts, orders, positions } from '../ledger/tables.ts'
import type { SentOrder } from './sent-order-store.ts'
import { type RealTradingRow, realTrading } from './tables.ts'

/** Orders of bots, here. */
const scopeOf = (venue: string, network: Network) => {
  const ofBots = and(
    eq(accounts.ownerKind, 'bot'),
    eq(accounts.kind, 'real'),
    eq(accounts.venue, venue),
    eq(accounts.network, network),
  )
  return { ofBots }
}

/** Orders of bots that are not over. */
const ordersOfBots = ({ ofBots }: ReturnType<typeof scopeOf>) => {
  return {
    /** Unsettled orders of bots, the oldest first, with whose key they were sent. */
    async unsettled(orm: Orm): Promise<SentOrder[]> {
      return ownedOrders(orm, { order: orders, userId: sql<string>`${accounts.keyUserId}`, market: accounts.market })
        .where(and(ofBots, inArray(orders.status, [...UNSETTLED])))
        .orderBy(orders.seq)
    },

    /** Of one bot. */
    async unsettledOf(orm: Orm, botId: string): Promise<number> {
      const [row] = await ownedOrders(orm, { n: count() }).where(
        and(ofBots, eq(accounts.ownerId, botId), inArray(orders.status, [...UNSETTLED])),
      )
      return row?.n ?? 0
    },

    /** No stop-loss of a bot is placed from now on. */
    async guardNothing(orm: Orm): Promise<void> {
      await orm
        .update(orders)
        .set({ nextGuardMs: null })
        .where(
          and(
            isNotNull(orders.nextGuardMs),
            inArray(orders.accountId, orm.select({ id: accounts.id }).from(accounts).where(ofBots)),
          ),
        )
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
      const rows = await orm
        .select({ botId: accounts.ownerId })
        .from(positions)
        .innerJoin(accounts, eq(accounts.id, positions.accountId))
        .where(and(ofBots, eq(accounts.market, 'futures'), sql`${positions.quantity} <> 0`))
        .groupBy(accounts.ownerId)
      return rows.map(({ botId }) => botId)
    },

    /** What bots hold; negative of a short. */
    async holdings(orm: Orm): Promise<{ botId: string; symbol: string; quantity: Units }[]> {
      return orm
        .select({ botId: accounts.ownerId, symbol: positions.symbol, quantity: positions.quantity })
        .from(positions)
        .innerJoin(accounts, eq(accounts.id, positions.accountId))
        .where(and(ofBots, sql`${positions.quantity} <> 0`))
        .orderBy(accounts.ownerId, positions.symbol)
    },
  }
}

/** Whether bots may trade real money on one venue and network, how much they may, and what they have there. */
export const createRealTradingStore = (venue: string, network: Network) => {
  const shared = scopeOf(venue, network)
  const { ofBots } = shared
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
    ...ordersOfBots(shared),

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
      const [held] = await orm
        .select({ sum: sql<string>`coalesce(sum(abs(${positions.cost})), 0)` })
        .from(positions)
        .innerJoin(accounts, eq(accounts.id, positions.accountId))
        .where(ofBots)
      const [ordered] = await ownedOrders(orm, { sum: sql<string>`coalesce(sum(${orders.counted}), 0)` }).where(
        and(ofBots, inArray(orders.status, [...UNSETTLED])),
      )
      return unitsOfDecimal(held!.sum) + unitsOfDecimal(ordered!.sum)
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

import type { Order } from '@shapecast/contracts/accounts'
import type { MarketKind } from '@shapecast/contracts/market'
import type { Orm } from '@shapecast/platform/database/database'
import { and, count, desc, eq, inArray, sum } from 'drizzle-orm'
import { numberOf, type Units, unitsOfDecimal } from './money.ts'
import { accountFills, accountOrders, accounts, type FillRow, type OrderRow, watchedSymbols } from './tables.ts'

export type NewOrder = Omit<typeof accountOrders.$inferInsert, 'id'>

/** Orders and their fills on one venue. */
export const createOrderStore = (source: { readonly venue: string; readonly kind: MarketKind }) => {
  const shown = (row: OrderRow, fill: FillRow | null): Order => ({
    id: row.id,
    clientOrderId: row.clientOrderId,
    symbol: row.symbol,
    side: row.side,
    type: row.type,
    status: row.status,
    statusReason: row.statusReason,
    amount: numberOf(row.quantity),
    filled: fill === null ? 0 : numberOf(fill.quantity),
    price: row.type === 'limit' ? row.price : null,
    stopPrice: row.type === 'stop' ? row.price : null,
    average: fill?.price ?? null,
    fee: fill === null ? 0 : numberOf(fill.fee),
    pnl: fill === null || fill.pnl === null ? null : numberOf(fill.pnl),
    source: row.source,
    isVirtual: true,
    venue: source.venue,
    market: source.kind,
    createdAt: row.createdAtMs,
    closedAt: row.closedAtMs,
    filledAtMarketTime: fill?.marketMs ?? null,
  })
  const openOf = (accountId: string) => and(eq(accountOrders.accountId, accountId), eq(accountOrders.status, 'open'))

  return {
    async insert(tx: Orm, order: NewOrder): Promise<OrderRow> {
      const [row] = await tx.insert(accountOrders).values(order).returning()
      return row!
    },

    async change(tx: Orm, id: string, set: Partial<NewOrder>): Promise<void> {
      await tx.update(accountOrders).set(set).where(eq(accountOrders.id, id))
    },

    async insertFill(tx: Orm, fill: Omit<typeof accountFills.$inferInsert, 'id'>): Promise<string> {
      const [row] = await tx.insert(accountFills).values(fill).returning({ id: accountFills.id })
      return row!.id
    },

    /** The order as it is now, locked; undefined where it is not this account's. */
    async lock(tx: Orm, accountId: string, id: string): Promise<OrderRow | undefined> {
      const [row] = await tx
        .select()
        .from(accountOrders)
        .where(and(eq(accountOrders.id, id), eq(accountOrders.accountId, accountId)))
        .for('update')
      return row
    },

    /** As the API shows it. */
    async read(orm: Orm, id: string): Promise<Order> {
      const [row] = await orm
        .select({ order: accountOrders, fill: accountFills })
        .from(accountOrders)
        .leftJoin(accountFills, eq(accountFills.orderId, accountOrders.id))
        .where(eq(accountOrders.id, id))
      return shown(row!.order, row!.fill)
    },

    async list(orm: Orm, accountId: string, query: { symbol?: string | undefined; limit: number }): Promise<Order[]> {
      const ofSymbol = query.symbol === undefined ? undefined : eq(accountOrders.symbol, query.symbol)
      const rows = await orm
        .select({ order: accountOrders, fill: accountFills })
        .from(accountOrders)
        .leftJoin(accountFills, eq(accountFills.orderId, accountOrders.id))
        .where(and(eq(accountOrders.accountId, accountId), ofSymbol))
        .orderBy(desc(accountOrders.id))
        .limit(query.limit)
      return rows.map(({ order, fill }) => shown(order, fill))
    },

    async countOpen(tx: Orm, accountId: string): Promise<number> {
      const [row] = await tx.select({ n: count() }).from(accountOrders).where(openOf(accountId))
      return row?.n ?? 0
    },

    /** Base that open limit sales set aside. */
    async setAside(tx: Orm, accountId: string, symbol: string): Promise<Units> {
      const sales = and(
        eq(accountOrders.symbol, symbol),
        eq(accountOrders.side, 'sell'),
        eq(accountOrders.type, 'limit'),
      )
      const [row] = await tx
        .select({ sum: sum(accountOrders.quantity) })
        .from(accountOrders)
        .where(and(openOf(accountId), sales))
      return row?.sum ? unitsOfDecimal(row.sum) : 0n
    },

    /** Open sales of an account in one coin, the newest first. */
    openSales: (tx: Orm, accountId: string, symbol: string, type: 'limit' | 'stop'): Promise<OrderRow[]> =>
      tx
        .select()
        .from(accountOrders)
        .where(
          and(
            openOf(accountId),
            eq(accountOrders.symbol, symbol),
            eq(accountOrders.side, 'sell'),
            eq(accountOrders.type, type),
          ),
        )
        .orderBy(desc(accountOrders.id)),

    openStops: (orm: Orm, accountId: string): Promise<{ symbol: string; price: number | null }[]> =>
      orm
        .select({ symbol: accountOrders.symbol, price: accountOrders.price })
        .from(accountOrders)
        .where(and(openOf(accountId), eq(accountOrders.type, 'stop'))),

    /** Symbols of this venue with open orders. */
    async openSymbols(orm: Orm): Promise<string[]> {
      const rows = await orm
        .select({ symbol: accountOrders.symbol })
        .from(accountOrders)
        .innerJoin(accounts, eq(accounts.id, accountOrders.accountId))
        .where(and(eq(accounts.venue, source.venue), eq(accountOrders.status, 'open')))
        .groupBy(accountOrders.symbol)
        .orderBy(accountOrders.symbol)
      return rows.map(({ symbol }) => symbol)
    },

    /** Open orders of everybody in one coin, in the order in which they were placed. */
    async openOn(orm: Orm, symbol: string): Promise<OrderRow[]> {
      const ofVenue = orm.select({ id: accounts.id }).from(accounts).where(eq(accounts.venue, source.venue))
      return orm
        .select()
        .from(accountOrders)
        .where(
          and(
            eq(accountOrders.symbol, symbol),
            eq(accountOrders.status, 'open'),
            inArray(accountOrders.accountId, ofVenue),
          ),
        )
        .orderBy(accountOrders.id)
    },

    /** Close time of the last candle that was held against a symbol's orders, ms; null before the first. */
    async checkedUntil(orm: Orm, symbol: string): Promise<number | null> {
      const [row] = await orm
        .select({ ms: watchedSymbols.checkedUntilMs })
        .from(watchedSymbols)
        .where(and(eq(watchedSymbols.venue, source.venue), eq(watchedSymbols.symbol, symbol)))
      return row?.ms ?? null
    },

    async saveChecked(orm: Orm, symbol: string, checkedUntilMs: number): Promise<void> {
      await orm
        .insert(watchedSymbols)
        .values({ venue: source.venue, symbol, checkedUntilMs })
        .onConflictDoUpdate({ target: [watchedSymbols.venue, watchedSymbols.symbol], set: { checkedUntilMs } })
    },
  }
}
export type OrderStore = ReturnType<typeof createOrderStore>

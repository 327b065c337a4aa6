import type { Orm } from '@shapecast/platform/database/database'
import { and, desc, eq } from 'drizzle-orm'
import type { Units } from '../../ledger/money.ts'
import { ORDER, ownedOrders, sumOf } from '../../ledger/order-store.ts'
import { accounts, type OrderRow, orders, watchedSymbols } from '../../ledger/tables.ts'

type SaleType = 'limit' | 'stop' | 'take_profit'

/** Virtual orders that wait for their price, on one venue. */
export const createWaitingOrderStore = (venue: string) => {
  const isVirtual = and(eq(accounts.venue, venue), eq(accounts.kind, 'virtual'))
  const openSale = (accountId: string, symbol: string, type: SaleType) =>
    and(
      eq(orders.accountId, accountId),
      eq(orders.symbol, symbol),
      eq(orders.side, 'sell'),
      eq(orders.type, type),
      eq(orders.status, 'open'),
    )

  return {
    /** Base that open limit sales set aside. */
    async setAside(tx: Orm, accountId: string, symbol: string): Promise<Units> {
      const limits = openSale(accountId, symbol, 'limit')
      const [row] = await tx
        .select({ sum: sumOf(orders.quantity) })
        .from(orders)
        .where(limits)
      return row!.sum
    },

    /** Open sales of an account in one coin, the newest first. */
    openSales: (tx: Orm, accountId: string, symbol: string, type: SaleType): Promise<OrderRow[]> =>
      tx
        .select()
        .from(orders)
        .where(openSale(accountId, symbol, type))
        .orderBy(desc(orders.seq)),

    /** Symbols with open orders. */
    async symbols(orm: Orm): Promise<string[]> {
      const rows = await ownedOrders(orm, { symbol: orders.symbol })
        .where(and(isVirtual, eq(orders.status, 'open')))
        .groupBy(orders.symbol)
        .orderBy(orders.symbol)
      return rows.map(({ symbol }) => symbol)
    },

    /** Open orders of everybody in one coin, in the order in which they were placed. */
    of: (orm: Orm, symbol: string): Promise<OrderRow[]> =>
      ownedOrders(orm, ORDER)
        .where(and(isVirtual, eq(orders.symbol, symbol), eq(orders.status, 'open')))
        .orderBy(orders.seq),

    /** Close time of the last candle that was held against a symbol's orders, ms; null before the first. */
    async checkedUntil(orm: Orm, symbol: string): Promise<number | null> {
      const [row] = await orm
        .select({ ms: watchedSymbols.checkedUntilMs })
        .from(watchedSymbols)
        .where(and(eq(watchedSymbols.venue, venue), eq(watchedSymbols.symbol, symbol)))
      return row?.ms ?? null
    },

    async saveChecked(orm: Orm, symbol: string, checkedUntilMs: number): Promise<void> {
      await orm
        .insert(watchedSymbols)
        .values({ venue, symbol, checkedUntilMs })
        .onConflictDoUpdate({ target: [watchedSymbols.venue, watchedSymbols.symbol], set: { checkedUntilMs } })
    },
  }
}
export type WaitingOrderStore = ReturnType<typeof createWaitingOrderStore>

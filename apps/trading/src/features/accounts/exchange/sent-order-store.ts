import { ACCOUNT_CURRENCY, type Network } from '@shapecast/contracts/accounts'
import type { Orm } from '@shapecast/platform/database/database'
import type { VenueFill } from '@shapecast/venues/live-trading'
import { and, asc, eq, inArray, lte, sum } from 'drizzle-orm'
import type { AccountStore } from '../books/account-store.ts'
import { type Units, unitsOf, unitsOfDecimal } from '../books/money.ts'
import { type OrderStore, UNSETTLED } from '../books/order-store.ts'
import { accounts, type FillRow, fills, type OrderRow, orderEvents, orders } from '../books/tables.ts'
import { coinsLeftOf, heldCoins } from './held-coins.ts'

/** Orders of one coin of an account, sent with keys of one account at the exchange. */
export interface SentFor {
  readonly accountId: string
  readonly keyMark: string
  readonly symbol: string
}

/** Quote that the trade took as fees. */
const quoteFee = ({ fees }: VenueFill): Units =>
  fees.reduce((sum, { asset, amount }) => (asset === ACCOUNT_CURRENCY ? sum + unitsOf(amount) : sum), 0n)

/** Base that the trades of purchases brought, less what they cost in coins. */
function broughtBy(of: readonly FillRow[], base: string): Units {
  let brought = 0n
  for (const { quantity, fees } of of) {
    brought += quantity
    for (const { asset, amount } of fees ?? []) if (asset === base) brought -= unitsOf(amount)
  }
  return brought
}

/** Orders that went to an exchange: their trades, what was said about them, and when to ask next. */
export const createSentOrderStore = (
  venue: string,
  network: Network,
  books: { accounts: AccountStore; orders: OrderStore },
) => {
  const sentFor = ({ accountId, keyMark, symbol }: SentFor) =>
    and(eq(orders.accountId, accountId), eq(orders.keyMark, keyMark), eq(orders.symbol, symbol))

  /** Orders of everybody whose time in `column` has come, with whose they are. */
  const dueBy = (
    orm: Orm,
    column: typeof orders.nextLookMs | typeof orders.nextGuardMs,
    nowMs: number,
    limit: number,
  ): Promise<{ order: OrderRow; userId: string }[]> =>
    orm
      .select({ order: orders, userId: accounts.ownerId })
      .from(orders)
      .innerJoin(accounts, eq(accounts.id, orders.accountId))
      .where(and(eq(accounts.venue, venue), eq(accounts.network, network), lte(column, nowMs)))
      .orderBy(asc(column))
      .limit(limit)

  return {
    async event(
      tx: Orm,
      orderId: string,
      what: (typeof orderEvents.$inferInsert)['what'],
      said: unknown,
      atMs: number,
    ): Promise<void> {
      await tx.insert(orderEvents).values({ orderId, what, said, atMs })
    },

    /** Orders that are to be looked up by now, those that have waited longest first. */
    due: (orm: Orm, nowMs: number, limit: number) => dueBy(orm, orders.nextLookMs, nowMs, limit),

    /** Purchases whose stop-loss is to be looked after by now, likewise. */
    toGuard: (orm: Orm, nowMs: number, limit: number) => dueBy(orm, orders.nextGuardMs, nowMs, limit),

    /** Stops of one coin that stand, or of which it is not known. */
    unsettledStops: (orm: Orm, of: SentFor): Promise<OrderRow[]> =>
      orm
        .select()
        .from(orders)
        .where(and(sentFor(of), eq(orders.type, 'stop'), inArray(orders.status, [...UNSETTLED])))
        .orderBy(orders.seq),

    /** Whether a sale of one coin may yet fill. */
    async hasUnsettledSale(orm: Orm, of: { accountId: string; symbol: string }): Promise<boolean> {
      const rows = await orm
        .select({ id: orders.id })
        .from(orders)
        .where(
          and(
            eq(orders.accountId, of.accountId),
            eq(orders.symbol, of.symbol),
            eq(orders.side, 'sell'),
            inArray(orders.status, [...UNSETTLED]),
          ),
        )
        .limit(1)
      return rows.length > 0
    },

    /** Books trades of an order that are new. Under the account's lock. */
    async bookTrades(tx: Orm, { id: orderId, accountId, side }: OrderRow, of: readonly VenueFill[], atMs: number) {
      const added = await books.orders.addFills(
        tx,
        of.map((fill) => ({
          orderId,
          accountId,
          tradeId: fill.id,
          price: fill.price,
          quantity: unitsOf(fill.quantity),
          notional: unitsOf(fill.price * fill.quantity),
          fee: quoteFee(fill),
          fees: [...fill.fees],
          marketMs: fill.timestampMs,
          atMs,
        })),
      )
      await books.accounts.book(
        tx,
        added.flatMap(({ id: fillId, notional, fee }) => [
          { accountId, kind: 'trade' as const, amount: side === 'buy' ? -notional : notional, fillId, atMs },
          { accountId, kind: 'fee' as const, amount: -fee, fillId, atMs },
        ]),
      )
    },

    /** Base in the trades that we know of. */
    async knownFilled(orm: Orm, orderId: string): Promise<Units> {
      const [row] = await orm
        .select({ sum: sum(fills.quantity) })
        .from(fills)
        .where(eq(fills.orderId, orderId))
      return unitsOfDecimal(row?.sum ?? '0')
    },

    /**
     * Base that orders of this account under this key have bought and not sold, or what one purchase has left of it: see
     * `heldCoins`. Of a purchase count the trades that we know of.
     */
    async held(tx: Orm, of: SentFor & { base: string }, buyId?: string): Promise<Units> {
      const rows = await tx.select().from(orders).where(sentFor(of)).orderBy(orders.seq)
      const filled = await books.orders.fillsOf(
        tx,
        rows.filter(({ side }) => side === 'buy').map(({ id }) => id),
      )
      const brought = (id: string) => broughtBy(filled.get(id) ?? [], of.base)
      return buyId === undefined ? heldCoins(rows, brought) : coinsLeftOf(buyId, rows, brought)
    },
  }
}
export type SentOrderStore = ReturnType<typeof createSentOrderStore>

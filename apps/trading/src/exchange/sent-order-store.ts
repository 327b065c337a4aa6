import { ACCOUNT_CURRENCY, type Network } from '@shapecast/contracts/accounts'
import type { Orm } from '@shapecast/platform/database/database'
import type { VenueFill } from '@shapecast/venues/live-trading'
import { and, asc, desc, eq, gt, inArray, isNotNull, lte, or, sql, sum } from 'drizzle-orm'
import type { AccountKey, AccountStore } from '../ledger/account-store.ts'
import { applyFill } from '../ledger/holding.ts'
import { least, type Units, unitsOf, unitsOfDecimal } from '../ledger/money.ts'
import { type OrderStore, UNSETTLED } from '../ledger/order-store.ts'
import { type AccountRow, accounts, fills, type OrderRow, orderEvents, orders } from '../ledger/tables.ts'
import { type OwnCoins, type SentFor, sentFor } from './own-coins.ts'
import { CONDITIONAL } from './protective-legs.ts'

/** An order with what leads to its account at the exchange. */
export interface SentOrder {
  readonly order: OrderRow
  readonly userId: string
  readonly market: AccountRow['market']
}

/** Quote that the trade took as fees. */
const quoteFee = ({ fees }: VenueFill): Units =>
  fees.reduce((sum, { asset, amount }) => (asset === ACCOUNT_CURRENCY ? sum + unitsOf(amount) : sum), 0n)

/** The coin of a market, and what a coin costs in which fees were taken, by its name (quote). */
export interface FeeWorth {
  readonly base: string
  readonly prices: ReadonlyMap<string, number>
}

/** What a trade cost in fees: coins of the market, and quote, those coins and all others included. */
function feesOf({ fees, price }: VenueFill, { base, prices }: FeeWorth): { coins: Units; worth: Units } {
  let [coins, worth] = [0n, 0n]
  for (const { asset, amount } of fees) {
    if (asset === base) coins += unitsOf(amount)
    worth += unitsOf(amount * (asset === ACCOUNT_CURRENCY ? 1 : asset === base ? price : (prices.get(asset) ?? 0)))
  }
  return { coins, worth }
}

const isGuarded = or(isNotNull(orders.guardPrice), isNotNull(orders.targetPct))
/** Each costs some calls, and what was bought longer ago has been sold. */
const GUARDED_AGAIN = 20

/** Books the trades that the exchange tells of. */
const bookingOf = (
  books: { accounts: AccountStore; orders: OrderStore },
  own: Pick<OwnCoins, 'soldBefore' | 'found'>,
) => {
  return {
    /**
     * Books trades of a person's order that are new, and keeps what is held of what was bought here. Under the account's
     * lock.
     */
    async bookTrades(
      tx: Orm,
      order: OrderRow,
      said: readonly VenueFill[],
      worth: FeeWorth,
      atMs: number,
    ): Promise<void> {
      const { id: orderId, accountId, symbol, side, seq, quantity: ordered } = order
      const of = { accountId, symbol, keyMark: order.keyMark! }
      const before = (await books.orders.fillsOf(tx, [orderId])).get(orderId) ?? []
      const known = new Set(before.map(({ tradeId }) => tradeId))
      let booked = before.reduce((sum, { quantity }) => sum + quantity, 0n)
      let holding = await books.accounts.holding(tx, accountId, symbol, of.keyMark)
      const wasEmpty = holding.quantity === 0n
      let { moved } = order
      const found = side === 'sell' ? await own.found(tx, of, order) : 0n
      for (const fill of said.filter(({ id }) => !known.has(id))) {
        const quantity = unitsOf(fill.quantity)
        const notional = unitsOf(fill.price * fill.quantity)
        const fee = quoteFee(fill)
        booked += quantity
        if (side === 'buy') {
          const { coins } = feesOf(fill, worth)
          moved += quantity - coins
          const gone = await own.soldBefore(tx, { ...of, seq }, quantity - coins)
          const bought = { side, quantity, price: fill.price, coins: coins + gone }
          holding = applyFill('spot', holding, bought).holding
        } else {
          const sold = least(least(least(order.ours ?? ordered, booked), found) - moved, holding.quantity)
          moved += sold
          holding = applyFill('spot', holding, { side, quantity: sold, price: fill.price }).holding
        }
        const traded = { price: fill.price, quantity, notional, fee, fees: [...fill.fees] }
        const [added] = await books.orders.addFills(tx, [
          { orderId, accountId, tradeId: fill.id, ...traded, marketMs: fill.timestampMs, atMs },
        ])
        const fillId = added!.id
        await books.accounts.book(tx, [
          { accountId, kind: 'trade', amount: side === 'buy' ? -notional : notional, fillId, atMs },
          { accountId, kind: 'fee', amount: -fee, fillId, atMs },
        ])
      }
      if (moved !== order.moved) await books.orders.change(tx, orderId, { moved })
      await books.accounts.hold(tx, of, holding, { wasEmpty, atMs })
    },

    /**
     * As `bookTrades`, for a bot: what it holds is kept at its cost, and its balance changes by fees and by what sales
     * earned, as that of a virtual bot does.
     */
    async bookTradesOfBot(
      tx: Orm,
      market: AccountRow['market'],
      { id: orderId, accountId, symbol, side, exitReason }: OrderRow,
      of: readonly VenueFill[],
      worth: FeeWorth,
      atMs: number,
    ) {
      const known = new Set((await books.orders.fillsOf(tx, [orderId])).get(orderId)?.map(({ tradeId }) => tradeId))
      let holding = await books.accounts.holding(tx, accountId, symbol)
      const wasEmpty = holding.quantity === 0n
      for (const fill of of.filter(({ id }) => !known.has(id))) {
        const quantity = unitsOf(fill.quantity)
        const notional = unitsOf(fill.price * fill.quantity)
        const { coins, worth: fee } = feesOf(fill, worth)
        const after = applyFill(market, holding, { side, quantity, price: fill.price, coins })
        const { pnl } = after
        holding = after.holding
        const traded = { price: fill.price, quantity, notional, fee, fees: [...fill.fees], pnl, exitReason }
        const [added] = await books.orders.addFills(tx, [
          { orderId, accountId, tradeId: fill.id, ...traded, marketMs: fill.timestampMs, atMs },
        ])
        const fillId = added!.id
        await books.accounts.book(tx, [
          ...(pnl === null ? [] : [{ accountId, kind: 'trade' as const, amount: pnl, fillId, atMs }]),
          { accountId, kind: 'fee' as const, amount: -fee, fillId, atMs },
        ])
      }
      await books.accounts.hold(tx, { accountId, symbol }, holding, { wasEmpty, atMs })
    },

    /** Base in the trades that we know of. */
    async knownFilled(orm: Orm, orderId: string): Promise<Units> {
      const [row] = await orm
        .select({ sum: sum(fills.quantity) })
        .from(fills)
        .where(eq(fills.orderId, orderId))
      return unitsOfDecimal(row?.sum ?? '0')
    },
  }
}

/** Orders that went to an exchange: their trades, what was said about them, and when to ask next. */
export const createSentOrderStore = (
  venue: string,
  network: Network,
  books: { accounts: AccountStore; orders: OrderStore },
  own: Pick<OwnCoins, 'soldBefore' | 'found'>,
) => {
  /** Orders of everybody whose time in `column` has come, with whose key they were sent. */
  const dueBy = (
    orm: Orm,
    column: typeof orders.nextLookMs | typeof orders.nextGuardMs,
    nowMs: number,
    limit: number,
  ): Promise<SentOrder[]> =>
    orm
      .select({
        order: orders,
        userId: sql<string>`coalesce(${accounts.keyUserId}, ${accounts.ownerId})`,
        market: accounts.market,
      })
      .from(orders)
      .innerJoin(accounts, eq(accounts.id, orders.accountId))
      .where(and(eq(accounts.venue, venue), eq(accounts.network, network), lte(column, nowMs)))
      .orderBy(asc(column))
      .limit(limit)
  return {
    ...bookingOf(books, own),

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

    /** Purchases whose stop-loss or take profit is to be looked after by now, likewise. */
    toGuard: (orm: Orm, nowMs: number, limit: number) => dueBy(orm, orders.nextGuardMs, nowMs, limit),

    /** Has the newest purchases of an account that had stop-losses or take profits looked after again. */
    async guardAgain(tx: Orm, key: AccountKey, atMs: number): Promise<void> {
      const accountId = await books.accounts.find(tx, key)
      if (accountId === undefined) return
      await tx
        .update(orders)
        .set({ nextGuardMs: atMs })
        .where(
          inArray(
            orders.id,
            tx
              .select({ id: orders.id })
              .from(orders)
              .where(and(eq(orders.accountId, accountId), isGuarded, gt(orders.filled, 0n)))
              .orderBy(desc(orders.seq))
              .limit(GUARDED_AGAIN),
          ),
        )
    },

    /** Stops and targets of one coin that stand, or of which it is not known. */
    unsettledLegs: (orm: Orm, of: SentFor): Promise<OrderRow[]> =>
      orm
        .select()
        .from(orders)
        .where(and(sentFor(of), inArray(orders.type, [...CONDITIONAL]), inArray(orders.status, [...UNSETTLED])))
        .orderBy(orders.seq),

    /** Whether an order on this side of one market may yet fill. */
    async hasUnsettled(orm: Orm, of: { accountId: string; symbol: string; side: OrderRow['side'] }): Promise<boolean> {
      const rows = await orm
        .select({ id: orders.id })
        .from(orders)
        .where(
          and(
            eq(orders.accountId, of.accountId),
            eq(orders.symbol, of.symbol),
            eq(orders.side, of.side),
            inArray(orders.status, [...UNSETTLED]),
          ),
        )
        .limit(1)
      return rows.length > 0
    },
  }
}

export type SentOrderStore = ReturnType<typeof createSentOrderStore>

import { ACCOUNT_CURRENCY, type Network } from '@shapecast/contracts/accounts'
import type { Orm } from '@shapecast/platform/database/database'
import type { VenueFill } from '@shapecast/venues/live-trading'
import { and, asc, desc, eq, gt, inArray, isNotNull, lte, or, sql, sum } from 'drizzle-orm'
import type { AccountKey, AccountStore } from '../ledger/account-store.ts'
import { type Charge, cashOf, entriesOfFill } from '../ledger/entries.ts'
import { applyFill } from '../ledger/holding.ts'
import { least, type Units, unitsOf, unitsOfDecimal } from '../ledger/money.ts'
import { type OrderStore, ownedOrders, UNSETTLED } from '../ledger/order-store.ts'
import { type AccountRow, accounts, fills, type OrderRow, orderEvents, orders } from '../ledger/tables.ts'
import { type OwnCoins, type SentFor, sentFor } from './own-coins.ts'
import { CONDITIONAL } from './protective-legs.ts'

/** An order with what leads to its account at the exchange. */
export interface SentOrder {
  readonly order: OrderRow
  readonly userId: string
  readonly market: AccountRow['market']
}

/** The coin of a market, and what a coin costs in which fees were taken, by its name (quote). */
export interface FeeWorth {
  readonly base: string
  readonly prices: ReadonlyMap<string, number>
}

/** What a trade cost in fees: quote, coins of the market, and the worth in quote of those coins and of all other assets. */
function feesOf({ fees, price }: VenueFill, { base, prices }: FeeWorth) {
  const cost = { quote: 0n, coins: 0n, coinsWorth: 0n, othersWorth: 0n }
  for (const { asset, amount } of fees)
    if (asset === ACCOUNT_CURRENCY) cost.quote += unitsOf(amount)
    else if (asset === base) {
      cost.coins += unitsOf(amount)
      cost.coinsWorth += unitsOf(amount * price)
    } else cost.othersWorth += unitsOf(amount * (prices.get(asset) ?? 0))
  return cost
}

/** The fees of a trade, each in its asset. */
const chargesOf = ({ fees }: VenueFill): Charge[] =>
  [...Map.groupBy(fees, ({ asset }) => asset)].map(([asset, of]) => ({
    asset,
    amount: of.reduce((sum, { amount }) => sum + unitsOf(amount), 0n),
  }))

const isGuarded = or(isNotNull(orders.guardPrice), isNotNull(orders.targetPct))
/** Each costs some calls, and what was bought longer ago has been sold. */
const GUARDED_AGAIN = 20

/** Books the trades that the exchange tells of. */
const bookingOf = (
  ledger: { accounts: AccountStore; orders: OrderStore },
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
      const before = (await ledger.orders.fillsOf(tx, [orderId])).get(orderId) ?? []
      const known = new Set(before.map(({ tradeId }) => tradeId))
      let booked = before.reduce((sum, { quantity }) => sum + quantity, 0n)
      let holding = await ledger.accounts.holding(tx, accountId, symbol, of.keyMark)
      const wasEmpty = holding.quantity === 0n
      let { moved } = order
      const found = side === 'sell' ? await own.found(tx, of, order) : 0n
      for (const fill of said.filter(({ id }) => !known.has(id))) {
        const quantity = unitsOf(fill.quantity)
        const notional = unitsOf(fill.price * fill.quantity)
        const { quote: fee, coins } = feesOf(fill, worth)
        booked += quantity
        if (side === 'buy') {
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
        const [added] = await ledger.orders.addFills(tx, [
          { orderId, accountId, tradeId: fill.id, ...traded, marketMs: fill.timestampMs, atMs },
        ])
        // All of it, also of coins that were not bought here: it is the money of the account at the exchange.
        const cash = side === 'buy' ? -notional : notional
        await ledger.accounts.book(
          tx,
          entriesOfFill({ accountId, fillId: added!.id, atMs }, { market: 'spot', side, cash }, chargesOf(fill)),
        )
      }
      if (moved !== order.moved) await ledger.orders.change(tx, orderId, { moved })
      await ledger.accounts.hold(tx, of, holding, { wasEmpty, atMs })
    },

    /**
     * As `bookTrades`, for a bot. It has no coins but those of its market: a fee in others is charged at its worth. What a
     * purchase paid is what its coins and those of its fee were worth, each rounded.
     */
    async bookTradesOfBot(
      tx: Orm,
      market: AccountRow['market'],
      { id: orderId, accountId, symbol, side, exitReason }: OrderRow,
      said: readonly VenueFill[],
      worth: FeeWorth,
      atMs: number,
    ) {
      const known = new Set((await ledger.orders.fillsOf(tx, [orderId])).get(orderId)?.map(({ tradeId }) => tradeId))
      let holding = await ledger.accounts.holding(tx, accountId, symbol)
      const wasEmpty = holding.quantity === 0n
      for (const fill of said.filter(({ id }) => !known.has(id))) {
        const quantity = unitsOf(fill.quantity)
        const notional = unitsOf(fill.price * fill.quantity)
        const { quote, coins, coinsWorth, othersWorth } = feesOf(fill, worth)
        const fee = quote + coinsWorth + othersWorth
        const after = applyFill(market, holding, { side, quantity, price: fill.price, coins })
        const { pnl } = after
        const moved = cashOf(market, holding, after)
        holding = after.holding
        const traded = { price: fill.price, quantity, notional, fee, fees: [...fill.fees], pnl, exitReason }
        const [added] = await ledger.orders.addFills(tx, [
          { orderId, accountId, tradeId: fill.id, ...traded, marketMs: fill.timestampMs, atMs },
        ])
        const of = { accountId, fillId: added!.id, atMs }
        await ledger.accounts.book(
          tx,
          market === 'spot' && side === 'buy'
            ? entriesOfFill(of, { market, side, cash: moved - coinsWorth }, [
                { asset: worth.base, amount: coins },
                { amount: quote + othersWorth },
              ])
            : entriesOfFill(of, { market, side, cash: moved }, [{ amount: fee }]),
        )
      }
      await ledger.accounts.hold(tx, { accountId, symbol }, holding, { wasEmpty, atMs })
    },
  }
}

/** Orders that went to an exchange: their trades, what was said about them, and when to ask next. */
export const createSentOrderStore = (
  venue: string,
  network: Network,
  ledger: { accounts: AccountStore; orders: OrderStore },
  own: Pick<OwnCoins, 'soldBefore' | 'found'>,
) => {
  /** Orders of everybody whose time in `column` has come, with whose key they were sent. */
  const dueBy = (
    orm: Orm,
    column: typeof orders.nextLookMs | typeof orders.nextGuardMs,
    nowMs: number,
    limit: number,
  ): Promise<SentOrder[]> =>
    ownedOrders(orm, {
      order: orders,
      userId: sql<string>`coalesce(${accounts.keyUserId}, ${accounts.ownerId})`,
      market: accounts.market,
    })
      .where(and(eq(accounts.venue, venue), eq(accounts.network, network), lte(column, nowMs)))
      .orderBy(asc(column))
      .limit(limit)
  return {
    ...bookingOf(ledger, own),

    /** Base in the trades that we know of. */
    async knownFilled(orm: Orm, orderId: string): Promise<Units> {
      const [row] = await orm
        .select({ sum: sum(fills.quantity) })
        .from(fills)
        .where(eq(fills.orderId, orderId))
      return unitsOfDecimal(row?.sum ?? '0')
    },

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
      const accountId = await ledger.accounts.find(tx, key)
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

    /** Stops and targets of one coin that stand, or may stand. */
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

import { ACCOUNT_CURRENCY, type Network } from '@shapecast/contracts/accounts'
import type { Orm } from '@shapecast/platform/database/database'
import type { VenueFill } from '@shapecast/venues/live-trading'
import { and, asc, desc, eq, gt, inArray, isNotNull, lte, or, sql } from 'drizzle-orm'
import { bound } from '../ground/bound.ts'
import type { AccountKey, AccountStore } from '../ledger/account-store.ts'
import { type Charge, cashOf, entriesOfFill } from '../ledger/entries.ts'
import { applyFill } from '../ledger/holding.ts'
import { least, type Units, unitsOf } from '../ledger/money.ts'
import { IS_UNSETTLED, type NewFill, type OrderStore, ownedOrders, sumOf } from '../ledger/order-store.ts'
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

interface Booking {
  readonly accounts: AccountStore
  readonly orders: OrderStore
  readonly own: Pick<OwnCoins, 'soldBefore' | 'found'>
}

/** Writes down a trade; answers what its entries are of. */
async function addTrade(
  { orders }: Booking,
  tx: Orm,
  { id: orderId, accountId }: OrderRow,
  { id: tradeId, price, quantity, fees, timestampMs: marketMs }: VenueFill,
  booked: Pick<NewFill, 'fee' | 'pnl' | 'exitReason' | 'atMs'>,
) {
  const amounts = { quantity: unitsOf(quantity), notional: unitsOf(price * quantity) }
  const trade = { orderId, accountId, tradeId, price, ...amounts, fees: [...fees], marketMs, ...booked }
  const [added] = await orders.addFills(tx, [trade])
  return { accountId, fillId: added!.id, atMs: booked.atMs }
}

/** Trades of an order that are known, and those of `said` that are not. */
async function tradesOf({ orders }: Booking, tx: Orm, { id }: OrderRow, said: readonly VenueFill[]) {
  const before = (await orders.fillsOf(tx, [id])).get(id) ?? []
  const known = new Set(before.map(({ tradeId }) => tradeId))
  return { before, added: said.filter((trade) => !known.has(trade.id)) }
}

/** Books trades of a person's order that are new, and keeps what is held of what was bought here. Under the account's lock. */
async function bookTrades(
  ctx: Booking,
  tx: Orm,
  order: OrderRow,
  said: readonly VenueFill[],
  worth: FeeWorth,
  atMs: number,
): Promise<void> {
  const { accounts, orders, own } = ctx
  const { id, accountId, symbol, side, seq, quantity: ordered } = order
  const of = { accountId, symbol, keyMark: order.keyMark! }
  const { before, added } = await tradesOf(ctx, tx, order, said)
  let booked = before.reduce((sum, { quantity }) => sum + quantity, 0n)
  let holding = await accounts.holding(tx, accountId, symbol, of.keyMark)
  const wasEmpty = holding.quantity === 0n
  let { moved } = order
  const found = side === 'sell' ? await own.found(tx, of, order) : 0n
  for (const fill of added) {
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
    const ofFill = await addTrade(ctx, tx, order, fill, { fee, atMs })
    // All of it, also of coins that were not bought here: it is the money of the account at the exchange.
    const cash = side === 'buy' ? -notional : notional
    await accounts.book(tx, entriesOfFill(ofFill, { market: 'spot', side, cash }, chargesOf(fill)))
  }
  if (moved !== order.moved) await orders.change(tx, id, { moved })
  await accounts.hold(tx, of, holding, { wasEmpty, atMs })
}

/**
 * As `bookTrades`, for a bot. It has no coins but those of its market: a fee in others is charged at its worth. What a
 * purchase paid is what its coins and those of its fee were worth, each rounded.
 */
async function bookTradesOfBot(
  ctx: Booking,
  tx: Orm,
  market: AccountRow['market'],
  order: OrderRow,
  said: readonly VenueFill[],
  worth: FeeWorth,
  atMs: number,
): Promise<void> {
  const { accounts } = ctx
  const { accountId, symbol, side, exitReason } = order
  const { added } = await tradesOf(ctx, tx, order, said)
  let holding = await accounts.holding(tx, accountId, symbol)
  const wasEmpty = holding.quantity === 0n
  for (const fill of added) {
    const { quote, coins, coinsWorth, othersWorth } = feesOf(fill, worth)
    const fee = quote + coinsWorth + othersWorth
    const after = applyFill(market, holding, { side, quantity: unitsOf(fill.quantity), price: fill.price, coins })
    const cash = cashOf(market, holding, after)
    holding = after.holding
    const of = await addTrade(ctx, tx, order, fill, { fee, pnl: after.pnl, exitReason, atMs })
    const [moved, charges] =
      market === 'spot' && side === 'buy'
        ? [cash - coinsWorth, [{ asset: worth.base, amount: coins }, { amount: quote + othersWorth }]]
        : [cash, [{ amount: fee }]]
    await accounts.book(tx, entriesOfFill(of, { market, side, cash: moved }, charges))
  }
  await accounts.hold(tx, { accountId, symbol }, holding, { wasEmpty, atMs })
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
    column: typeof orders.nextLookMs | typeof orders.nextGuardMs,
    orm: Orm,
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
    ...bound({ ...ledger, own }, { bookTrades, bookTradesOfBot }),

    /** Base in the trades that we know of. */
    async knownFilled(orm: Orm, orderId: string): Promise<Units> {
      const [row] = await orm
        .select({ sum: sumOf(fills.quantity) })
        .from(fills)
        .where(eq(fills.orderId, orderId))
      return row!.sum
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
    due: dueBy.bind(null, orders.nextLookMs),

    /** Purchases whose stop-loss or take profit is to be looked after by now, likewise. */
    toGuard: dueBy.bind(null, orders.nextGuardMs),

    /** Has the newest purchases of an account that had stop-losses or take profits looked after again. */
    async guardAgain(tx: Orm, key: AccountKey, nextGuardMs: number): Promise<void> {
      const accountId = await ledger.accounts.find(tx, key)
      if (accountId === undefined) return
      const newest = tx
        .select({ id: orders.id })
        .from(orders)
        .where(and(eq(orders.accountId, accountId), isGuarded, gt(orders.filled, 0n)))
        .orderBy(desc(orders.seq))
        .limit(GUARDED_AGAIN)
      await tx.update(orders).set({ nextGuardMs }).where(inArray(orders.id, newest))
    },

    /** Stops and targets of one coin that stand, or may stand. */
    unsettledLegs: (orm: Orm, of: SentFor): Promise<OrderRow[]> =>
      orm
        .select()
        .from(orders)
        .where(and(sentFor(of), inArray(orders.type, [...CONDITIONAL]), IS_UNSETTLED))
        .orderBy(orders.seq),

    /** Whether an order on this side of one market may yet fill. */
    async hasUnsettled(orm: Orm, of: Pick<OrderRow, 'accountId' | 'symbol' | 'side'>): Promise<boolean> {
      const ofSide = and(eq(orders.accountId, of.accountId), eq(orders.symbol, of.symbol), eq(orders.side, of.side))
      const rows = await orm.select({ id: orders.id }).from(orders).where(and(ofSide, IS_UNSETTLED)).limit(1)
      return rows.length > 0
    },
  }
}

export type SentOrderStore = ReturnType<typeof createSentOrderStore>

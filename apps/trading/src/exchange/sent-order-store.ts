import { ACCOUNT_CURRENCY } from '@shapecast/contracts/accounts'
import type { Orm } from '@shapecast/platform/database/database'
import type { VenueFill } from '@shapecast/venues/live-trading'
import { and, asc, desc, eq, gt, inArray, isNotNull, lte, or, sql } from 'drizzle-orm'
import type { AccountKey } from '../ledger/account-store.ts'
import { type Charge, cashOf, entriesOfFill } from '../ledger/entries.ts'
import { applyFill } from '../ledger/holding.ts'
import { least, type Units, unitsOf } from '../ledger/money.ts'
import { IS_UNSETTLED, type NewFill, ownedOrders, sumOf } from '../ledger/order-store.ts'
import { type AccountRow, accounts, fills, type OrderRow, orderEvents, orders } from '../ledger/tables.ts'
import { tradedIn } from './order-progress.ts'
import { foundBy, type SentFor, type Stores, sentFor, soldBefore } from './own-coins.ts'
import { CONDITIONAL } from './protective-legs.ts'
import type { ExchangeContext } from './venue-accounts.ts'

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

/** Writes down a trade; answers what its entries are of. */
async function addTrade(
  { orders }: Stores,
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

/** Base in the trades of an order that are known, and those of `said` that are not. */
async function tradesOf({ orders }: Stores, tx: Orm, { id }: OrderRow, said: readonly VenueFill[]) {
  const known = (await orders.fillsOf(tx, [id])).get(id) ?? []
  const ids = new Set(known.map(({ tradeId }) => tradeId))
  const booked = known.reduce((sum, { quantity }) => sum + quantity, 0n)
  return { booked, added: said.filter((trade) => !ids.has(trade.id)) }
}

/**
 * Books trades of a person's order that are new, and keeps what is held of what was bought here; answers the base in all
 * that are known. Under the account's lock.
 */
export async function bookTrades(
  ctx: Stores,
  tx: Orm,
  order: OrderRow,
  said: readonly VenueFill[],
  worth: FeeWorth,
  atMs: number,
): Promise<Units> {
  const { accounts, orders } = ctx
  const { id, accountId, symbol, side, seq, quantity: ordered } = order
  const of = { accountId, symbol, keyMark: order.keyMark! }
  let { booked, added } = await tradesOf(ctx, tx, order, said)
  let holding = await accounts.holding(tx, accountId, symbol, of.keyMark)
  let { moved } = order
  const found = side === 'sell' ? await foundBy(ctx, tx, of, order) : 0n
  for (const fill of added) {
    const quantity = unitsOf(fill.quantity)
    const notional = unitsOf(fill.price * fill.quantity)
    const { quote: fee, coins } = feesOf(fill, worth)
    booked += quantity
    if (side === 'buy') {
      moved += quantity - coins
      const gone = await soldBefore(tx, { ...of, seq }, quantity - coins)
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
  await accounts.hold(tx, [{ ...of, ...holding, openedAtMs: atMs }])
  return booked
}

/**
 * As `bookTrades`, for a bot. It has no coins but those of its market: a fee in others is charged at its worth. What a
 * purchase paid is what its coins and those of its fee were worth, each rounded.
 */
export async function bookTradesOfBot(
  ctx: Stores,
  tx: Orm,
  market: AccountRow['market'],
  order: OrderRow,
  said: readonly VenueFill[],
  worth: FeeWorth,
  atMs: number,
): Promise<Units> {
  const { accounts } = ctx
  const { accountId, symbol, side, exitReason } = order
  const { booked, added } = await tradesOf(ctx, tx, order, said)
  let holding = await accounts.holding(tx, accountId, symbol)
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
  await accounts.hold(tx, [{ accountId, symbol, ...holding, openedAtMs: atMs }])
  return booked + tradedIn(added)
}

/** Base in the trades of an order that we know of. */
export async function knownFilled(orm: Orm, orderId: string): Promise<Units> {
  const known = orm.select({ sum: sumOf(fills.quantity) }).from(fills)
  return (await known.where(eq(fills.orderId, orderId)))[0]!.sum
}

/** Keeps what was asked of the exchange about an order, or what it said. */
export async function addEvent(
  tx: Orm,
  orderId: string,
  what: (typeof orderEvents.$inferInsert)['what'],
  said: unknown,
  atMs: number,
): Promise<void> {
  await tx.insert(orderEvents).values({ orderId, what, said, atMs })
}

const sentFrom = ({ market, network }: ExchangeContext) =>
  and(eq(accounts.venue, market.venue), eq(accounts.network, network))

/** Whether the time of any order has come to be looked up, or its stop-losses to be seen to. */
export async function isAnyDue(ctx: ExchangeContext): Promise<boolean> {
  const isDue = or(lte(orders.nextLookMs, ctx.now()), lte(orders.nextGuardMs, ctx.now()))
  const due = ownedOrders(ctx.db.orm, { id: orders.id }).where(and(sentFrom(ctx), isDue))
  return (await due.limit(1)).length > 0
}

/** Orders of everybody whose time in `column` has come by now, those that have waited longest first. */
export const dueOrders = (
  ctx: ExchangeContext,
  column: 'nextLookMs' | 'nextGuardMs',
  limit: number,
): Promise<SentOrder[]> =>
  ownedOrders(ctx.db.orm, {
    order: orders,
    userId: sql<string>`coalesce(${accounts.keyUserId}, ${accounts.ownerId})`,
    market: accounts.market,
  })
    .where(and(sentFrom(ctx), lte(orders[column], ctx.now())))
    .orderBy(asc(orders[column]))
    .limit(limit)

/** Has the newest purchases of an account that had stop-losses or take profits looked after again. */
export async function guardAgain(ctx: ExchangeContext, tx: Orm, key: AccountKey): Promise<void> {
  const accountId = await ctx.accounts.find(tx, key)
  if (accountId === undefined) return
  const newest = tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), isGuarded, gt(orders.filled, 0n)))
    .orderBy(desc(orders.seq))
    .limit(GUARDED_AGAIN)
  await tx.update(orders).set({ nextGuardMs: ctx.now() }).where(inArray(orders.id, newest))
}

/** Stops and targets of one coin that stand, or may stand. */
export const unsettledLegs = (orm: Orm, of: SentFor): Promise<OrderRow[]> =>
  orm
    .select()
    .from(orders)
    .where(and(sentFor(of), inArray(orders.type, [...CONDITIONAL]), IS_UNSETTLED))
    .orderBy(orders.seq)

/** Whether an order on this side of one market may yet fill. */
export async function hasUnsettled(orm: Orm, of: Pick<OrderRow, 'accountId' | 'symbol' | 'side'>): Promise<boolean> {
  const ofSide = and(eq(orders.accountId, of.accountId), eq(orders.symbol, of.symbol), eq(orders.side, of.side))
  return (await orm.$count(orders, and(ofSide, IS_UNSETTLED))) > 0
}

import type { RealMarket } from '@shapecast/contracts/exchanges'
import type { Orm } from '@shapecast/platform/database/database'
import type { WaitingCaps } from '@shapecast/venues/live-trading'
import { and, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { ownedPositions } from '../ledger/account-store.ts'
import type { Units } from '../ledger/money.ts'
import { IS_UNSETTLED, LACKS_FILLS, ownedOrders, sumOf, UNSETTLED } from '../ledger/order-store.ts'
import { accounts, orders, positions } from '../ledger/tables.ts'
import { MAY_COME } from './own-coins.ts'
import { CONDITIONAL } from './protective-legs.ts'
import type { ExchangeContext } from './venue-accounts.ts'

// What a person and their bots, each with a ledger of their own, have in common: one account on spot at the exchange, with
// its coins and the orders that wait there.

type At = Pick<ExchangeContext, 'market' | 'network'>

/** Accounts on one side of the exchange in use. */
const isAt = ({ market, network }: At, side: RealMarket) =>
  and(eq(accounts.venue, market.venue), eq(accounts.network, network), eq(accounts.market, side))

const ofBots = (at: At, userId: string) => and(isAt(at, 'spot'), eq(accounts.keyUserId, userId))

/** Orders on spot that were sent with the keys of one account. */
export const sentWith = (at: At, mark: string) => and(isAt(at, 'spot'), eq(orders.keyMark, mark))

/** Base that a person's bots hold of these symbols by their ledgers. */
export async function heldByBots(at: At, orm: Orm, userId: string, symbols: readonly string[]): Promise<Units> {
  const theirs = and(ofBots(at, userId), inArray(positions.symbol, [...symbols]))
  const [row] = await ownedPositions(orm, { sum: sumOf(positions.quantity) }).where(theirs)
  return row!.sum
}

/** Base that may come, or go, by these orders. */
async function unbooked(orm: Orm, side: 'buy' | 'sell', symbols: readonly string[], of: SQL | undefined) {
  const these = and(of, inArray(orders.symbol, [...symbols]), eq(orders.side, side))
  const [row] = await ownedOrders(orm, { sum: sumOf(MAY_COME) }).where(these)
  return row!.sum
}

/** As `heldByBots`, and what purchases of theirs may have brought by now. */
export async function coinsOfBots(at: At, orm: Orm, userId: string, symbols: readonly string[]): Promise<Units> {
  const coming = await unbooked(orm, 'buy', symbols, and(ofBots(at, userId), or(IS_UNSETTLED, LACKS_FILLS)))
  return (await heldByBots(at, orm, userId, symbols)) + coming
}

/** Base in sales of one account that may yet be traded, or have been and are not booked. */
export const onSale = (orm: Orm, accountId: string, symbols: readonly string[]): Promise<Units> =>
  unbooked(orm, 'sell', symbols, and(eq(orders.accountId, accountId), IS_UNSETTLED))

/**
 * Orders of a symbol that wait in an account at the exchange: stops and take profits, with those that entries under way
 * have still to get, and all kinds together.
 */
export async function waitingOrders(
  at: At,
  orm: Orm,
  { keyMark, symbol, market }: { keyMark: string; symbol: string; market: RealMarket },
): Promise<WaitingCaps> {
  const [row] = await ownedOrders(orm, {
    waiting: sql<number>`count(*) filter (where ${inArray(orders.type, [...CONDITIONAL])} and ${IS_UNSETTLED})::int`,
    limits: sql<number>`count(*) filter (where ${orders.type} = 'limit' and ${IS_UNSETTLED})::int`,
    promised: sql<number>`coalesce(sum(
        case when ${orders.guardPrice} is null then 0 else 1 end + case when ${orders.targetPct} is null then 0 else 1 end
      ) filter (where ${isNotNull(orders.nextGuardMs)} and not exists (
        select 1 from ${orders} leg where leg.guards_id = ${orders.id} and ${inArray(sql`leg.status`, [...UNSETTLED])})), 0)::int`,
  }).where(and(isAt(at, market), eq(orders.keyMark, keyMark), eq(orders.symbol, symbol)))
  const conditional = row!.waiting + row!.promised
  return { conditional, all: conditional + row!.limits }
}

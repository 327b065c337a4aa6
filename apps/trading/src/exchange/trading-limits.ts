import { ACCOUNT_CURRENCY, type Network } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import {
  DEFAULT_MAX_DAY_NOTIONAL,
  DEFAULT_MAX_ORDER_NOTIONAL,
  type TradingLimits,
} from '@shapecast/contracts/exchange-keys'
import type { RealMarket } from '@shapecast/contracts/exchanges'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import type { Prove } from '@shapecast/platform/http/register-endpoint'
import type { Member } from '@shapecast/platform/sessions'
import { and, eq, gt, or, sql } from 'drizzle-orm'
import { realOf } from '../ledger/account-store.ts'
import { numberOf, shown, type Units, unitsOf, unitsOfDecimal } from '../ledger/money.ts'
import { ownedOrders } from '../ledger/order-store.ts'
import { accounts, orders } from '../ledger/tables.ts'
import { heldFree, type SentFor } from './own-coins.ts'
import { tradingLimits } from './tables.ts'
import type { ExchangeContext } from './venue-accounts.ts'

// How much a person's real orders may be worth, each, and all of a day.

const DAY_MS = 24 * 3_600_000

/** An order as the limits see it. */
export interface Weighed extends SentFor {
  readonly base: string
  readonly market: RealMarket
  readonly side: 'buy' | 'sell'
  readonly quantity: Units
  /** Quote per base: of a market order the price of the moment. */
  readonly price: number
}

/** `12.5 USDT` */
export const moneyOf = (units: Units): string => `${shown(numberOf(units))} ${ACCOUNT_CURRENCY}`

/** What a row counts for by now: whole while it may fill, then what was filled. */
const COUNTED = sql<string>`coalesce(sum(case
  when ${orders.status} in ('sending', 'open') then ${orders.counted}
  when ${orders.status} in ('filled', 'cancelled', 'expired')
    then round(${orders.counted} * ${orders.filled} / ${orders.quantity}, 8)
  else 0 end), 0)::numeric(38, 8)`

/** In quote. */
async function limitsOf({ market }: ExchangeContext, orm: Orm, userId: string, network: Network) {
  const { maxOrder, maxDay, venue } = tradingLimits
  const own = and(eq(tradingLimits.userId, userId), eq(venue, market.venue), eq(tradingLimits.network, network))
  const [row] = await orm.select({ maxOrder, maxDay }).from(tradingLimits).where(own)
  return row ?? { maxOrder: unitsOf(DEFAULT_MAX_ORDER_NOTIONAL), maxDay: unitsOf(DEFAULT_MAX_DAY_NOTIONAL) }
}

/** Quote that orders of the last 24 hours count for: of their own account, and of those of their bots. */
async function usedBy({ market, now }: ExchangeContext, orm: Orm, userId: string, network: Network): Promise<Units> {
  const isOwn = and(eq(accounts.ownerKind, 'user'), eq(accounts.ownerId, userId))
  const isAt = and(eq(accounts.venue, market.venue), eq(accounts.network, network))
  const ofDay = gt(orders.createdAtMs, now() - DAY_MS)
  const [row] = await ownedOrders(orm, { sum: COUNTED }).where(
    and(or(isOwn, eq(accounts.keyUserId, userId)), isAt, ofDay),
  )
  return unitsOfDecimal(row!.sum)
}

/** As the API shows them. */
export async function readLimits(
  ctx: ExchangeContext,
  userId: string,
  orm: Orm = ctx.db.orm,
  network = ctx.network,
): Promise<TradingLimits> {
  const { maxOrder, maxDay } = await limitsOf(ctx, orm, userId, network)
  return {
    network,
    currency: ACCOUNT_CURRENCY,
    maxOrderNotional: numberOf(maxOrder),
    maxDayNotional: numberOf(maxDay),
    usedNotional: numberOf(await usedBy(ctx, orm, userId, network)),
  }
}

/**
 * One change of limits in a transaction that holds their lock: `prove` is asked before one is raised, and what they were
 * and are is put on record. `id` names whose they are.
 */
export async function recordLimits<Shown extends object>(
  tx: Orm,
  { id, member, prove }: { id: string; member: Member; prove: Prove },
  wanted: { readonly [Name in keyof Shown]?: Shown[Name] | undefined },
  { read, save }: { read(): Promise<Shown>; save(limits: Shown): Promise<unknown> },
): Promise<Shown> {
  const before = await read()
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined)
  if (given.some(([name, value]) => (value as number) > (before[name as keyof Shown] as number))) await prove()
  await save({ ...before, ...Object.fromEntries(given) })
  const after = await read()
  const subject = { type: 'trading_limits', id }
  await recordAudit(tx, member, { action: 'trading_limits.changed', subject, before, after })
  return after
}

/** Sets limits from the next order on; `prove` is asked before one is raised. */
export const changeLimits = (
  ctx: ExchangeContext,
  wanted: { maxOrderNotional?: number | undefined; maxDayNotional?: number | undefined },
  member: Member,
  prove: Prove,
): Promise<TradingLimits> =>
  ctx.db.orm.transaction(async (tx) => {
    const { accounts, market, network, now } = ctx
    const { userId } = member
    // Under the account's lock: an order that is placed meanwhile keeps to the one or to the other.
    await accounts.open(tx, realOf(userId, network), 0n, now())
    return recordLimits(tx, { id: `${userId} ${network}`, member, prove }, wanted, {
      read: () => readLimits(ctx, userId, tx),
      save({ maxOrderNotional, maxDayNotional }) {
        const set = { maxOrder: unitsOf(maxOrderNotional), maxDay: unitsOf(maxDayNotional), savedAtMs: now() }
        const { userId: ofUser, venue, network: on } = tradingLimits
        return tx
          .insert(tradingLimits)
          .values({ userId, network, venue: market.venue, ...set })
          .onConflictDoUpdate({ target: [ofUser, venue, on], set })
      },
    })
  })

const HOW = 'Nothing was sent. Choose a smaller amount, or change the limit in Settings, Exchange keys.'

/**
 * What an order of a person, or of a bot of theirs, counts for, in quote: a purchase whole, a sale by the coins that
 * were not bought here, an entry on futures by all that it moves, leverage included. Under the account's lock.
 * Throws `over_limit` with the figures where it is too much.
 */
export async function requireWithinLimits(
  ctx: ExchangeContext,
  tx: Orm,
  userId: string,
  order: Weighed,
): Promise<Units> {
  const { network } = ctx
  // Their bots have accounts, and so locks, of their own.
  await lockUntilCommit(tx, `real orders of ${userId}`)
  const bought = order.side === 'buy' || order.market === 'futures' ? 0n : await heldFree(ctx, tx, order)
  const quantity = order.quantity > bought ? order.quantity - bought : 0n
  const counted = unitsOf(numberOf(quantity) * order.price)
  if (counted === 0n) return counted
  const { maxOrder, maxDay } = await limitsOf(ctx, tx, userId, network)
  if (counted > maxOrder)
    throw new AppError(
      'over_limit',
      `This order is worth ${moneyOf(counted)}, and your real orders on the ${network} are limited to ${moneyOf(maxOrder)} each. ${HOW}`,
      { field: 'amount' },
    )
  const used = await usedBy(ctx, tx, userId, network)
  if (used + counted > maxDay)
    throw new AppError(
      'over_limit',
      `This order is worth ${moneyOf(counted)}, and of the ${moneyOf(maxDay)} that your real orders on the ${network} may be worth in 24 hours ${moneyOf(used)} are used. ${HOW}`,
      { field: 'amount' },
    )
  return counted
}

import { ACCOUNT_CURRENCY, type Network } from '@shapecast/contracts/accounts'
import {
  DEFAULT_MAX_DAY_NOTIONAL,
  DEFAULT_MAX_ORDER_NOTIONAL,
  type TradingLimits,
} from '@shapecast/contracts/exchange-keys'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, gt, or, sql } from 'drizzle-orm'
import { numberOf, type Units, unitsOf, unitsOfDecimal } from '../ledger/money.ts'
import { ownedOrders } from '../ledger/order-store.ts'
import { accounts, orders } from '../ledger/tables.ts'
import { tradingLimits } from './tables.ts'

const DAY_MS = 24 * 3_600_000

/** In quote. */
export interface Limits {
  readonly maxOrder: Units
  readonly maxDay: Units
}

/** What a row counts for by now: whole while it may fill, then what was filled. */
const COUNTED = sql<string>`coalesce(sum(case
  when ${orders.status} in ('sending', 'open') then ${orders.counted}
  when ${orders.status} in ('filled', 'cancelled', 'expired')
    then round(${orders.counted} * ${orders.filled} / ${orders.quantity}, 8)
  else 0 end), 0)::numeric(38, 8)`

/** The limits of real orders on one venue, and what of them is used. */
export const createLimitStore = (venue: string) => {
  async function read(orm: Orm, userId: string, network: Network): Promise<Limits> {
    const [row] = await orm
      .select({ maxOrder: tradingLimits.maxOrder, maxDay: tradingLimits.maxDay })
      .from(tradingLimits)
      .where(and(eq(tradingLimits.userId, userId), eq(tradingLimits.venue, venue), eq(tradingLimits.network, network)))
    return row ?? { maxOrder: unitsOf(DEFAULT_MAX_ORDER_NOTIONAL), maxDay: unitsOf(DEFAULT_MAX_DAY_NOTIONAL) }
  }

  /** Quote that orders of the day before `nowMs` count for. */
  async function used(orm: Orm, userId: string, network: Network, nowMs: number): Promise<Units> {
    const [row] = await ownedOrders(orm, { sum: COUNTED }).where(
      and(
        // Their own account, and those of their bots.
        or(and(eq(accounts.ownerKind, 'user'), eq(accounts.ownerId, userId)), eq(accounts.keyUserId, userId)),
        eq(accounts.venue, venue),
        eq(accounts.network, network),
        gt(orders.createdAtMs, nowMs - DAY_MS),
      ),
    )
    return unitsOfDecimal(row!.sum)
  }

  return {
    read,
    used,

    async save(orm: Orm, of: { userId: string; network: Network }, limits: Limits, savedAtMs: number): Promise<void> {
      await orm
        .insert(tradingLimits)
        .values({ ...of, ...limits, venue, savedAtMs })
        .onConflictDoUpdate({
          target: [tradingLimits.userId, tradingLimits.venue, tradingLimits.network],
          set: { ...limits, savedAtMs },
        })
    },

    /** As the API shows them. */
    async show(orm: Orm, userId: string, network: Network, nowMs: number): Promise<TradingLimits> {
      const { maxOrder, maxDay } = await read(orm, userId, network)
      return {
        network,
        currency: ACCOUNT_CURRENCY,
        maxOrderNotional: numberOf(maxOrder),
        maxDayNotional: numberOf(maxDay),
        usedNotional: numberOf(await used(orm, userId, network, nowMs)),
      }
    },
  }
}
export type LimitStore = ReturnType<typeof createLimitStore>

import { AppError } from '@shapecast/contracts/errors'
import type { OrderRow } from '../ledger/tables.ts'
import { dueOrders, type SentOrder } from './sent-order-store.ts'
import * as sending from './sent-orders.ts'
import * as guards from './stop-guard.ts'
import type { ExchangeContext, VenueAccount } from './venue-accounts.ts'

/** Orders of one turn. */
const AT_ONCE = 50
/** After these the exchange would say the same of the next order of this person. */
const ENOUGH: ReadonlySet<string> = new Set(['venue_rate_limited', 'venue_unreachable', 'venue_auth_failed'])

/** Does it order by order; after a failure that the others of a person would meet too, those are only put off. */
async function each(
  { venues, log }: ExchangeContext,
  due: readonly SentOrder[],
  work: (order: OrderRow, account: VenueAccount) => Promise<void>,
  putOff: (order: OrderRow, error: AppError | null) => Promise<unknown>,
): Promise<void> {
  for (const rows of Map.groupBy(due, ({ userId, market }) => `${userId} ${market}`).values()) {
    let stopped: AppError | null = null
    for (const { order, userId, market } of rows) {
      try {
        if (stopped !== null) throw stopped
        await work(order, await venues.of(userId, market))
      } catch (error) {
        const expected = error instanceof AppError ? error : null
        if (expected === null) log.error({ err: error, order: order.id }, 'an order could not be looked after')
        else if (ENOUGH.has(expected.code)) stopped = expected
        await putOff(order, expected)
      }
    }
  }
}

/**
 * Looks up every order that the exchange may have news of, and sees to it that stop-losses stand. It may be called at
 * any time by any process, and broken off anywhere; what it cannot learn now is looked up later.
 */
export async function reconcileOrders(ctx: ExchangeContext): Promise<void> {
  const looked = await dueOrders(ctx, 'nextLookMs', AT_ONCE)
  await each(ctx, looked, sending.follow.bind(null, ctx), ({ id, status }, error) =>
    // In doubt the words that say so are worth more than why it cannot be resolved just now.
    sending.putOff(ctx, id, error !== null && status === 'open' ? `Not followed now: ${error.message}` : null),
  )
  const guarded = await dueOrders(ctx, 'nextGuardMs', AT_ONCE)
  await each(ctx, guarded, guards.guard.bind(null, ctx), (entry, error) =>
    guards.putOff(ctx, entry, error?.message ?? 'an error of ours.'),
  )
}

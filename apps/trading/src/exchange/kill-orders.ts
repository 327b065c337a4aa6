import { AppError } from '@shapecast/contracts/errors'
import type { RealMarket } from '@shapecast/contracts/exchanges'
import type { OrderRow } from '../ledger/tables.ts'
import { closes } from './protective-legs.ts'
import { guardNothing, unsettled } from './real-trading-store.ts'
import { cancel } from './sent-orders.ts'
import type { ExchangeContext } from './venue-accounts.ts'

/** What closes at the market fills at once: there is nothing to cancel, and cancelling it would keep what is to go. */
const isClosing = (order: OrderRow, market: RealMarket): boolean => order.type === 'market' && closes(order, market)

/**
 * Cancels what bots have open at the exchange, stop-losses too, and sees to it that no stop is placed again. It never
 * throws: what cannot be cancelled now stays unsettled, and the next call goes on with it.
 */
export async function cancelAll(ctx: ExchangeContext): Promise<void> {
  const { db, venues, log } = ctx
  await guardNothing(ctx, db.orm)
  for (const { order, userId, market } of await unsettled(ctx, db.orm)) {
    if (isClosing(order, market)) continue
    try {
      await cancel(ctx, order, await venues.of(userId, market))
    } catch (error) {
      // One that has ended meanwhile, or may not be there yet.
      if (!(error instanceof AppError)) log.error({ err: error, order: order.id }, 'an order could not be cancelled')
    }
  }
}

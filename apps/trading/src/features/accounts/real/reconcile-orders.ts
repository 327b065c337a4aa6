import { AppError } from '@shapecast/contracts/errors'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { type RealOrderStore, UNSETTLED } from './real-order-store.ts'
import type { RealOrders } from './real-orders.ts'
import type { StopGuard } from './stop-guard.ts'
import type { VenueAccounts } from './venue-accounts.ts'

/** Orders of one turn. */
const AT_ONCE = 50
/** After these the exchange would say the same of the next order of this person. */
const ENOUGH: ReadonlySet<string> = new Set(['venue_rate_limited', 'venue_unreachable', 'venue_auth_failed'])

/**
 * Looks up every order of which the exchange may have news, and sees to it that stop-losses stand. It may be called at any time by any process, and broken off
 * anywhere; what it cannot learn now is looked up later.
 */
export function createOrderReconciler(deps: {
  db: Database
  orders: RealOrderStore
  real: RealOrders
  venues: VenueAccounts
  guard: StopGuard
  log: Logger
  now: () => number
}): () => Promise<void> {
  const { db, orders, real, venues, guard, log, now } = deps
  async function lookUp(): Promise<void> {
    const due = Map.groupBy(await orders.due(db.orm, now(), AT_ONCE), ({ userId }) => userId)
    for (const [userId, rows] of due) {
      let stopped: AppError | null = null
      for (const { order } of rows) {
        try {
          if (stopped !== null) throw stopped
          await real.look(order.id, await venues.of(userId))
        } catch (error) {
          const expected = error instanceof AppError
          if (!expected) log.error({ err: error, order: order.id }, 'an order could not be looked up')
          else if (ENOUGH.has(error.code)) stopped = error
          const reason = expected && UNSETTLED.includes(order.status) ? `Not followed now: ${error.message}` : null
          // In doubt the words that say so are worth more than why it cannot be resolved just now.
          await real.putOff(order.id, order.status === 'sending' ? null : reason)
        }
      }
    }
  }

  async function guardAll(): Promise<void> {
    const due = Map.groupBy(await orders.toGuard(db.orm, now(), AT_ONCE), ({ userId }) => userId)
    for (const [userId, rows] of due) {
      let stopped: AppError | null = null
      for (const { order } of rows) {
        try {
          if (stopped !== null) throw stopped
          await guard.guard(order.id, await venues.of(userId))
        } catch (error) {
          const expected = error instanceof AppError
          if (!expected) log.error({ err: error, order: order.id }, 'a stop-loss could not be looked after')
          else if (ENOUGH.has(error.code)) stopped = error
          await guard.putOff(order.id, expected ? error.message : 'an error of ours.')
        }
      }
    }
  }

  return async () => {
    await lookUp()
    await guardAll()
  }
}

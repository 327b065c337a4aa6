import type { Network } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import { recordAudit, SYSTEM } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, gt, lt, not, type SQL } from 'drizzle-orm'
import { realBotsAt } from '../ledger/account-store.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { numberOf } from '../ledger/money.ts'
import { LACKS_FILLS, ORDER, ownedOrders } from '../ledger/order-store.ts'
import { accounts, type OrderRow, orders } from '../ledger/tables.ts'
import { excessOf } from './order-progress.ts'
import type { SentOrderStore } from './sent-order-store.ts'

/** The trades of an order that has ended are asked for this long before a person has to look at it. */
export const UNREAD_AFTER_MS = 15 * 60_000

/** Orders of bots that have filled, and whose trades the exchange does not tell. */
export const createUnreadTrades = (deps: Ledger & { sent: SentOrderStore; network: Network }) => {
  const { db, sent, network, now } = deps
  const { venue } = deps.market

  const ofBot = (orm: Orm, botId: string, which: SQL | undefined): Promise<OrderRow[]> =>
    ownedOrders(orm, ORDER).where(and(realBotsAt(venue, network), eq(accounts.ownerId, botId), LACKS_FILLS, which))

  const exceeded = gt(orders.filled, orders.quantity)
  const unread = () => and(lt(orders.closedAtMs, now() - UNREAD_AFTER_MS), not(exceeded))

  async function excess(botId: string): Promise<string | null> {
    const [order] = await ofBot(db.orm, botId, exceeded)
    return order === undefined
      ? null
      : `${excessOf(order)} What was traded is not in the ledger of this bot: close it there, and make a new bot to go on.`
  }

  return {
    /** Throws `conflict` where the exchange tells more of an order than was ordered. */
    async requireNoExcess(botId: string): Promise<void> {
      const words = await excess(botId)
      if (words !== null) throw new AppError('conflict', words)
    },

    /** What of a bot's orders nobody can read, in words, or null if there is nothing. */
    async wordsOf(botId: string): Promise<string | null> {
      const words = await excess(botId)
      if (words !== null) return `${words} It sends no orders any more.`
      const [order] = await ofBot(db.orm, botId, unread())
      return order === undefined
        ? null
        : `The exchange does not tell the trades of its order ${order.clientOrderId} of ${order.symbol}, so its ledger lacks what that has traded. It sends no orders any more. Look at the order at the exchange; a start ledger it at its average price, without fees.`
    },

    /** Books what cannot be read at the average price that the exchange gives, without fees. Asked for by a person. */
    async book(botId: string): Promise<void> {
      for (const { id, accountId } of await ofBot(db.orm, botId, unread()))
        await db.orm.transaction(async (tx) => {
          const { market } = await deps.accounts.lock(tx, accountId)
          const row = await deps.orders.lock(tx, id)
          const rest = numberOf(row.filled - (await sent.knownFilled(tx, id)))
          if (rest <= 0 || row.average === null) return
          const trade = { id: 'unread', price: row.average, quantity: rest, fees: [], timestampMs: null }
          await sent.bookTradesOfBot(tx, market, row, [trade], { base: '', prices: new Map() }, now())
          await recordAudit(tx, SYSTEM, {
            action: 'order.booked_unread',
            subject: { type: 'order', id },
            after: { quantity: rest, price: row.average },
          })
        })
    },
  }
}

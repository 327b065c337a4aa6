import { AppError } from '@shapecast/contracts/errors'
import { recordAudit, SYSTEM } from '@shapecast/platform/audit'
import { and, eq, gt, lt, not, type SQL } from 'drizzle-orm'
import { realBotsAt } from '../ledger/account-store.ts'
import { numberOf } from '../ledger/money.ts'
import { LACKS_FILLS, ORDER, ownedOrders } from '../ledger/order-store.ts'
import { accounts, type OrderRow, orders } from '../ledger/tables.ts'
import { excessOf } from './order-progress.ts'
import { bookTradesOfBot, knownFilled } from './sent-order-store.ts'
import type { ExchangeContext } from './venue-accounts.ts'

// Orders of bots that have filled, and whose trades the exchange does not tell.

/** The trades of an order that has ended are asked for this long before a person has to look at it. */
export const UNREAD_AFTER_MS = 15 * 60_000

const ofBot = ({ db, market, network }: ExchangeContext, botId: string, which: SQL | undefined): Promise<OrderRow[]> =>
  ownedOrders(db.orm, ORDER).where(
    and(realBotsAt(market.venue, network), eq(accounts.ownerId, botId), LACKS_FILLS, which),
  )

const exceeded = gt(orders.filled, orders.quantity)
const unread = (nowMs: number) => and(lt(orders.closedAtMs, nowMs - UNREAD_AFTER_MS), not(exceeded))

async function excess(ctx: ExchangeContext, botId: string): Promise<string | null> {
  const [order] = await ofBot(ctx, botId, exceeded)
  return order === undefined
    ? null
    : `${excessOf(order)} What was traded is not in the ledger of this bot: close it there, and make a new bot to go on.`
}

/** Throws `conflict` where the exchange tells more of an order than was ordered. */
export async function requireNoExcess(ctx: ExchangeContext, botId: string): Promise<void> {
  const words = await excess(ctx, botId)
  if (words !== null) throw new AppError('conflict', words)
}

/** What of a bot's orders nobody can read, in words, or null if there is nothing. */
export async function unreadWords(ctx: ExchangeContext, botId: string): Promise<string | null> {
  const words = await excess(ctx, botId)
  if (words !== null) return `${words} It sends no orders any more.`
  const [order] = await ofBot(ctx, botId, unread(ctx.now()))
  return order === undefined
    ? null
    : `The exchange does not tell the trades of its order ${order.clientOrderId} of ${order.symbol}, so its ledger lacks what that has traded. It sends no orders any more. Look at the order at the exchange; a start books it at its average price, without fees.`
}

/** Books what cannot be read at the average price that the exchange gives, without fees. Asked for by a person. */
export async function bookUnread(ctx: ExchangeContext, botId: string): Promise<void> {
  const { db, accounts, orders, now } = ctx
  for (const { id, accountId } of await ofBot(ctx, botId, unread(now())))
    await db.orm.transaction(async (tx) => {
      const { market } = await accounts.lock(tx, accountId)
      const row = await orders.lock(tx, id)
      const rest = numberOf(row.filled - (await knownFilled(tx, id)))
      if (rest <= 0 || row.average === null) return
      const trade = { id: 'unread', price: row.average, quantity: rest, fees: [], timestampMs: null }
      await bookTradesOfBot(ctx, tx, market, row, [trade], { base: '', prices: new Map() }, now())
      await recordAudit(tx, SYSTEM, {
        action: 'order.booked_unread',
        subject: { type: 'order', id },
        after: { quantity: rest, price: row.average },
      })
    })
}

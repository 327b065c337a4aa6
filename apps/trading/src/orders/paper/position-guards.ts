import { randomUUID } from 'node:crypto'
import type { GuardsDraft, Order } from '@shapecast/contracts/accounts'
import type { Member } from '@shapecast/platform/sessions'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import { virtualOf } from '../../ledger/account-store.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type Quote, quoteOf } from '../../ledger/market-prices.ts'
import { numberOf, shown } from '../../ledger/money.ts'
import { refused, requireOnGrid } from '../../ledger/order-rules.ts'
import type { PaperOrders } from './paper-orders.ts'
import type { WaitingOrderStore } from './waiting-order-store.ts'

type Guards = { readonly [Guard in 'stopLoss' | 'takeProfit']?: number | null | undefined }

/**
 * Puts one stop and one target over all that a virtual account holds of a coin, in place of those that are open. Throws
 * `unprocessable` where nothing is held or a price is on the wrong side, and what `quoteOf` throws.
 */
export const createPositionGuards =
  ({
    db,
    market,
    accounts,
    orders,
    waiting,
    paper,
    now,
  }: Ledger & { waiting: WaitingOrderStore; paper: PaperOrders }) =>
  async (draft: GuardsDraft, member: Member): Promise<Order[]> => {
    const quote = await quoteOf(market, draft.symbol, now)
    requireGuards(draft, quote)
    const { id: symbol, base } = quote.market
    const account = virtualOf(member.userId)
    return db.orm.transaction(async (tx) => {
      const accountId = (await accounts.lockOf(tx, account))?.id
      const held = accountId === undefined ? 0n : (await accounts.holding(tx, accountId, symbol)).quantity
      if (accountId === undefined || held === 0n)
        throw refused(`You hold no ${base}: a stop-loss and a take profit sell what is held.`, 'symbol')
      const open: Order[] = []
      for (const [type, price] of [
        ['stop', draft.stopLoss],
        ['take_profit', draft.takeProfit],
      ] as const) {
        const before = await waiting.openSales(tx, accountId, symbol, type)
        const [same] = before
        if (before.length === 1 && same!.price === price && same!.quantity === held) {
          open.push(await orders.read(tx, same!.id))
          continue
        }
        for (const order of before) {
          await paper.cancel(tx, order, price === null ? 'Cancelled by you.' : 'Replaced by you.')
          await orders.audit(tx, member, 'cancelled', order.id)
        }
        if (price === null) continue
        const { id } = await paper.place(tx, accountId, quote, {
          clientOrderId: clientOrderId(account.ownerId, market.venue, 'guard', type, randomUUID()),
          side: 'sell',
          type,
          quantity: numberOf(held),
          price,
          source: 'user',
        })
        await orders.audit(tx, member, 'placed', id)
        open.push(await orders.read(tx, id))
      }
      return open
    })
  }

/** Throws `unprocessable` for a stop that is not below the price, and for a target that is not above it. */
export function requireGuards({ stopLoss, takeProfit }: Guards, quote: Quote): void {
  const { price } = quote
  if (stopLoss != null && stopLoss >= price)
    throw refused(`The stop-loss must be below the price of ${shown(price)}.`, 'stopLoss')
  if (takeProfit != null && takeProfit <= price)
    throw refused(`The take profit must be above the price of ${shown(price)}.`, 'takeProfit')
  requireOnGrid(quote, stopLoss ?? null, 'stopLoss')
  requireOnGrid(quote, takeProfit ?? null, 'takeProfit')
}

import { randomUUID } from 'node:crypto'
import type { cancelOrders, Order, OrderDraft } from '@shapecast/contracts/accounts'
import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { csvFile } from '@shapecast/platform/http/csv-file'
import type { KeyedRequest } from '@shapecast/platform/http/keyed-request'
import type { Member } from '@shapecast/platform/sessions'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import type { Ledger } from '../ledger/ledger.ts'
import { type Quote, quoteOf } from '../ledger/market-prices.ts'
import { requireUnsettled } from '../ledger/order-rules.ts'
import { type OrderQuery, UNSETTLED } from '../ledger/order-store.ts'
import type { Brokers } from './brokers.ts'
import { ORDER_COLUMNS } from './order-csv.ts'
import { quantityAfterCosts } from './paper/paper-fills.ts'
import { requireGuards } from './paper/position-guards.ts'

/** Who asks, and by which key the request is known again. */
export interface Asked {
  readonly member: Member
  readonly request: KeyedRequest | null
}

export interface OrderServiceDeps extends Ledger {
  brokers: Brokers
}

/** What is kept under an Idempotency-Key: the order, whatever becomes of it. */
interface KeptOrder {
  readonly orderId: string
}

/** Orders of people, virtual and real: place, list, cancel. */
export const createOrderService = ({ db, market, accounts, orders, brokers, replies, now }: OrderServiceDeps) => ({
  /**
   * Places an order, a virtual one unless an admin asks for a real one. The same request under the same key answers with
   * the same order, as it is by then. Throws what `quoteOf`, `Brokers.of` and `Placing` throw.
   */
  async place(draft: OrderDraft, { member, request }: Asked): Promise<Order> {
    const { userId } = member
    const { symbol, side, type } = draft
    if (draft.botId !== undefined)
      throw new AppError(
        'unprocessable',
        'A bot trades by itself, with its own account. Leave botId out to trade with yours.',
        { field: 'botId' },
      )
    const known = (await replies.before(db.orm, userId, request)) as KeptOrder | undefined
    if (known !== undefined) return orders.read(db.orm, known.orderId)
    const key = brokers.keyOf(draft.isVirtual, member)
    const broker = await brokers.of(key)
    if (draft.stopLoss !== undefined) await broker.requireStops(symbol)
    const quote = await quoteOf(market, symbol, now)
    requireGuards(draft, quote)
    const { venue, network = 'virtual' } = broker.origin
    const id = clientOrderId(userId, venue, network, 'order', request?.key ?? randomUUID())
    const placing = await broker.prepare(quote, id, side)
    try {
      const made = await db.orm.transaction(async (tx) => {
        const accountId = await accounts.open(tx, key, broker.deposit, now())
        const before = (await replies.before(tx, userId, request)) as KeptOrder | undefined
        if (before !== undefined) return { orderId: before.orderId, order: null }
        const order = await placing.place(tx, accountId, {
          clientOrderId: id,
          side,
          type,
          quantity: draft.amount ?? quantityFor(draft, draft.quoteAmount!, quote, broker.origin.isVirtual),
          price: draft.price ?? null,
          source: 'user',
          stopPrice: draft.stopLoss ?? null,
          targetPrice: draft.takeProfit ?? null,
        })
        for (const { id } of [order, ...(await orders.stopsOf(tx, order.id))])
          await orders.audit(tx, member, 'placed', id)
        await replies.keep(tx, userId, request, { orderId: order.id } satisfies KeptOrder, now())
        return { orderId: order.id, order }
      })
      if (made.order !== null) await placing.carryOut(made.order)
      return orders.read(db.orm, made.orderId)
    } finally {
      await placing.end()
    }
  },

  /** The newest first. */
  list: (userId: string, query: OrderQuery): Promise<Order[]> => orders.list(db.orm, userId, query),

  /** All of an account as CSV, the newest first. */
  csv: (userId: string, isVirtual: boolean) =>
    csvFile('orders.csv', ORDER_COLUMNS, (after) =>
      orders.list(db.orm, userId, { isVirtual, before: after?.id, limit: 500 }),
    ),

  /**
   * Throws `not_found` where it is no order of this user's, and `conflict` where it is not open any more, or not on the
   * network in use.
   */
  async cancel(id: string, member: Member): Promise<Order> {
    const found = await orders.ofUser(db.orm, member.userId, id)
    if (found === undefined) throw new AppError('not_found', 'You have no such order.')
    requireUnsettled(found.order)
    const broker = await brokers.of({ ...found.account, ownerKind: 'user' })
    await broker.cancel(found.order, member)
    return orders.read(db.orm, id)
  },

  /** Cancels all that is open of the virtual account, or of an admin's real one; goes on past one that fails. */
  async cancelAll(isVirtual: boolean, member: Member): Promise<ReplyOf<typeof cancelOrders>> {
    const key = brokers.keyOf(isVirtual, member)
    const accountId = await accounts.find(db.orm, key)
    if (accountId === undefined) return { cancelled: [], failed: [] }
    const broker = await brokers.of(key)
    const cancelled: string[] = []
    const failed: { id: string; error: string }[] = []
    for (const order of await orders.unsettled(db.orm, accountId))
      try {
        await broker.cancel(order, member)
        cancelled.push(order.id)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        // Filled or cancelled meanwhile: nothing is left to do.
        const { status } = await orders.read(db.orm, order.id)
        if (UNSETTLED.some((open) => open === status)) failed.push({ id: order.id, error: error.message })
      }
    return { cancelled, failed }
  },
})

/** Base that an order of so much quote is for; a virtual purchase costs no more than that, fee and slippage included. */
function quantityFor({ side, type, price }: OrderDraft, quoteAmount: number, quote: Quote, isVirtual: boolean): number {
  const at = type === 'limit' ? price! : quote.price
  return side === 'buy' && isVirtual ? quantityAfterCosts(quoteAmount, at, type) : quoteAmount / at
}

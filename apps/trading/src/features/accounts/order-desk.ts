import { randomUUID } from 'node:crypto'
import type { Order, OrderDraft } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import type { Caller } from '@shapecast/platform/sessions'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import type { AccountStore } from './account-store.ts'
import { type KeyedRequest, keepReply, replyBefore } from './keyed-replies.ts'
import { type AccountMarket, quoteOf } from './market-prices.ts'
import type { OrderStore } from './order-store.ts'
import type { VirtualOrders } from './virtual-orders.ts'

export type Member = Pick<Caller, 'userId' | 'role'>

/** Who asks from where, and by which key the request is known again. */
export interface Asked {
  readonly member: Member
  readonly address: string
  readonly request: KeyedRequest | null
}

export interface OrderDeskDeps {
  db: Database
  market: AccountMarket
  accounts: AccountStore
  orders: OrderStore
  virtual: VirtualOrders
  now(): number
}

/** Others than admins trade virtually, whatever they ask for, as their bots do. Throws `unprocessable`. */
export function refuseReal(isVirtual: boolean, member: Member): void {
  if (isVirtual || member.role !== 'admin') return
  throw new AppError(
    'unprocessable',
    'Real orders are not yet possible here: nothing was sent to an exchange. Leave isVirtual out to trade with your virtual account.',
    { field: 'isVirtual' },
  )
}

/** Orders of people: place, list, cancel. */
export const createOrderDesk = ({ db, market, accounts, orders, virtual, now }: OrderDeskDeps) => {
  const known = async ({ member, request }: Asked): Promise<Order | undefined> => {
    if (request === null) return undefined
    const accountId = await accounts.find(db.orm, member.userId)
    return accountId === undefined ? undefined : ((await replyBefore(db.orm, accountId, request)) as Order | undefined)
  }

  return {
    /**
     * Places a virtual order. The same request under the same key gives the same answer and does nothing again. Throws
     * what `quoteOf` and `VirtualOrders.place` throw.
     */
    async place(draft: OrderDraft, asked: Asked): Promise<Order> {
      const { member, address, request } = asked
      refuseReal(draft.isVirtual, member)
      if (draft.botId !== undefined)
        throw new AppError(
          'unprocessable',
          'A bot trades by itself, with its own account. Leave botId out to trade with yours.',
          { field: 'botId' },
        )
      const before = await known(asked)
      if (before !== undefined) return before
      const quote = await quoteOf(market, draft.symbol, now)
      return db.orm.transaction(async (tx) => {
        const accountId = await accounts.open(tx, member.userId, now())
        const meanwhile = request === null ? undefined : await replyBefore(tx, accountId, request)
        if (meanwhile !== undefined) return meanwhile as Order
        const { id } = await virtual.place(tx, accountId, quote, {
          clientOrderId: clientOrderId(accountId, 'order', request?.key ?? randomUUID()),
          side: draft.side,
          type: draft.type,
          quantity: draft.amount,
          price: draft.price ?? null,
          source: 'user',
        })
        const order = await orders.read(tx, id)
        await recordAudit(tx, {
          actorId: member.userId,
          address,
          action: 'order.placed',
          subject: { type: 'order', id },
          after: order,
        })
        if (request !== null) await keepReply(tx, accountId, request, order, now())
        return order
      })
    },

    async list(userId: string, query: { symbol?: string | undefined; limit: number }): Promise<Order[]> {
      const accountId = await accounts.find(db.orm, userId)
      return accountId === undefined ? [] : orders.list(db.orm, accountId, query)
    },

    /** Throws `not_found` where it is no order of this user's, and `conflict` where it is not open any more. */
    async cancel(id: string, member: Member, address: string): Promise<Order> {
      return db.orm.transaction(async (tx) => {
        const accountId = await accounts.find(tx, member.userId)
        if (accountId !== undefined) await accounts.lock(tx, accountId)
        const order = accountId === undefined ? undefined : await orders.lock(tx, accountId, id)
        if (order === undefined) throw new AppError('not_found', 'You have no such order.')
        if (order.status !== 'open')
          throw new AppError('conflict', `This order is ${order.status} already: there is nothing left to cancel.`)
        await virtual.cancel(tx, order, 'Cancelled by you.')
        const after = await orders.read(tx, id)
        await recordAudit(tx, {
          actorId: member.userId,
          address,
          action: 'order.cancelled',
          subject: { type: 'order', id },
          after,
        })
        return after
      })
    },
  }
}
export type OrderDesk = ReturnType<typeof createOrderDesk>

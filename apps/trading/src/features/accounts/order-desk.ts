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

/** Orders at the exchange itself. */
export interface OrdersAtExchange {
  place(draft: OrderDraft, asked: Asked): Promise<Order>
  list(userId: string, query: { symbol?: string | undefined; limit: number }): Promise<Order[]>
  /** Undefined where it is no real order of this user's. */
  cancel(id: string, member: Member, address: string): Promise<Order | undefined>
}

/** Others than admins trade virtually, whatever they ask for, as their bots do. */
export const isReal = (isVirtual: boolean, member: Member): boolean => !isVirtual && member.role === 'admin'

/** Orders of people: place, list, cancel. */
export const createOrderDesk = ({
  db,
  market,
  accounts,
  orders,
  virtual,
  real,
  now,
}: OrderDeskDeps & { real: OrdersAtExchange }) => {
  const known = async ({ member, request }: Asked): Promise<Order | undefined> => {
    if (request === null) return undefined
    const accountId = await accounts.find(db.orm, member.userId)
    return accountId === undefined ? undefined : ((await replyBefore(db.orm, accountId, request)) as Order | undefined)
  }

  return {
    /**
     * Places an order, a virtual one unless an admin asks for a real one. The same request under the same key gives the same answer and does nothing again. Throws
     * what `quoteOf` and `VirtualOrders.place` throw.
     */
    async place(draft: OrderDraft, asked: Asked): Promise<Order> {
      const { member, address, request } = asked
      if (draft.botId !== undefined)
        throw new AppError(
          'unprocessable',
          'A bot trades by itself, with its own account. Leave botId out to trade with yours.',
          { field: 'botId' },
        )
      if (isReal(draft.isVirtual, member)) return real.place(draft, asked)
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
      if (accountId === undefined) return []
      const [virtual, sent] = await Promise.all([orders.list(db.orm, accountId, query), real.list(userId, query)])
      // Ids are made in the order of time.
      return [...virtual, ...sent].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, query.limit)
    },

    /** Throws `not_found` where it is no order of this user's, and `conflict` where it is not open any more. */
    async cancel(id: string, member: Member, address: string): Promise<Order> {
      const sent = await real.cancel(id, member, address)
      if (sent !== undefined) return sent
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

import { randomUUID } from 'node:crypto'
import { ACCOUNT_CURRENCY, type Order, type OrderDraft } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import { floorToLot } from '@shapecast/engine/models/sizing'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import type { VenueOrder } from '@shapecast/venues/live-trading'
import type { AccountStore } from '../account-store.ts'
import { keepReply, replyBefore } from '../keyed-replies.ts'
import { type AccountMarket, type Quote, quoteOf } from '../market-prices.ts'
import { shown, type Units, unitsOf } from '../money.ts'
import type { Asked, Member } from '../order-desk.ts'
import { isMultiple } from '../virtual-orders.ts'
import type { LimitDesk } from './limit-desk.ts'
import { type RealOrderStore, UNSETTLED } from './real-order-store.ts'
import type { RealOrders } from './real-orders.ts'
import type { StopGuard } from './stop-guard.ts'
import type { RealOrderRow } from './tables.ts'
import type { VenueAccount, VenueAccounts } from './venue-accounts.ts'

export interface RealDeskDeps {
  db: Database
  market: AccountMarket
  accounts: AccountStore
  orders: RealOrderStore
  real: RealOrders
  venues: VenueAccounts
  guard: StopGuard
  limits: LimitDesk
  now: () => number
}

/** Real orders of one person of which the exchange may still have news. */
const MOST_UNSETTLED = 50

const refused = (text: string, field: string) => new AppError('unprocessable', text, { field })

/** What is kept under an Idempotency-Key: the order, whatever becomes of it. */
interface KeptOrder {
  readonly realOrderId: string
}
export const realOrderOf = (reply: unknown): string | undefined => (reply as Partial<KeptOrder>).realOrderId

/** Throws `unprocessable`: on its way to the exchange a price off the grid would be rounded to another one. */
function requireOnGrid({ market }: Quote, price: number | undefined): void {
  if (price === undefined || !(market.tickSize > 0) || isMultiple(price, market.tickSize)) return
  throw refused(`Prices of ${market.id} are multiples of ${shown(market.tickSize)}.`, 'price')
}

/** The quantity as the market takes it. Throws `unprocessable` for what the exchange would refuse anyway. */
export function realQuantity(quote: Quote, amount: number, price: number): Units {
  const { lotSize, minNotional, base, id } = quote.market
  const floored = floorToLot(amount, lotSize)
  const quantity = unitsOf(floored)
  if (quantity <= 0n) throw refused(`The smallest amount of ${id} is ${shown(lotSize || 1e-8)} ${base}.`, 'amount')
  if (floored * price < minNotional)
    throw refused(
      `The smallest order on ${id} is worth ${shown(minNotional)} ${ACCOUNT_CURRENCY}; this is worth ${shown(floored * price)}.`,
      'amount',
    )
  return quantity
}

/** Throws `unprocessable` where too much is under way. */
export async function requireFewUnsettled(tx: Orm, orders: RealOrderStore, userId: string): Promise<void> {
  if ((await orders.countUnsettled(tx, userId)) >= MOST_UNSETTLED)
    throw new AppError('unprocessable', `At most ${MOST_UNSETTLED} real orders are open at a time. Cancel some first.`)
}

/** Real orders of an admin: place, list, cancel. */
export const createRealDesk = ({ db, market, accounts, orders, real, venues, guard, limits, now }: RealDeskDeps) => {
  /** Sends what was committed, or takes what the exchange has under this id already. */
  async function carryOut(row: RealOrderRow, found: VenueOrder | null, account: VenueAccount): Promise<void> {
    if (found === null) return real.send(row, account)
    await real.take(row.id, found, 'look')
    await real.tryFills(row.id, account)
  }

  return {
    carryOut,

    /**
     * Places an order at the exchange. The same request under the same key answers with the same order, as it is by
     * then. An order of which the exchange does not say what became of it is answered as `sending`. Throws what
     * `quoteOf`, `VenueAccounts.of`, `LimitDesk.require` and `RealOrders.send` throw.
     */
    async place(draft: OrderDraft, { member, address, request }: Asked): Promise<Order> {
      const { userId } = member
      if (request !== null) {
        const opened = await accounts.find(db.orm, userId)
        const before = opened === undefined ? undefined : await replyBefore(db.orm, opened, request)
        if (before !== undefined) return orders.read(db.orm, realOrderOf(before)!)
      }
      const account = await venues.of(userId)
      const quote = await quoteOf(market, draft.symbol, now)
      requireOnGrid(quote, draft.price)
      const quantity = realQuantity(quote, draft.amount, draft.price ?? quote.price)
      const { network } = venues
      const id = clientOrderId(userId, market.venue, network, 'real-order', request?.key ?? randomUUID())
      // It shows that key, clock and markets are in order before anything is written, and finds an order whose record was lost.
      const found = await account.trading.findOrder(draft.symbol, id)
      const made = await db.orm.transaction(async (tx) => {
        const accountId = await accounts.open(tx, userId, now())
        const before = request === null ? undefined : await replyBefore(tx, accountId, request)
        if (before !== undefined) return { id: realOrderOf(before)!, row: null }
        quote.requireFresh()
        await requireFewUnsettled(tx, orders, userId)
        const { symbol, side, type } = draft
        const of = { accountId, keyMark: account.mark, symbol, side, quantity }
        const price = draft.price ?? quote.price
        const counted = await limits.require(tx, userId, { ...of, base: quote.market.base, price })
        const wanted = { ...of, clientOrderId: id, type, price: draft.price ?? null, source: 'user', counted } as const
        const row = await real.intend(tx, wanted)
        await recordAudit(tx, {
          actorId: userId,
          address,
          action: 'order.placed',
          subject: { type: 'order', id: row.id },
          after: await orders.read(tx, row.id),
        })
        if (request !== null) await keepReply(tx, accountId, request, { realOrderId: row.id }, now())
        return { id: row.id, row }
      })
      if (made.row !== null) await carryOut(made.row, found, account)
      return orders.read(db.orm, made.id)
    },

    list: (userId: string, query: { symbol?: string | undefined; limit: number }): Promise<Order[]> =>
      orders.list(db.orm, userId, query),

    /**
     * Cancels at the exchange; undefined where it is no real order of this user's. Throws `conflict` where it is not
     * open any more, or where it is not known yet whether it is there.
     */
    async cancel(id: string, { userId }: Member, address: string): Promise<Order | undefined> {
      const row = await orders.ofUser(db.orm, userId, id)
      if (row === undefined) return undefined
      if (!UNSETTLED.includes(row.status))
        throw new AppError('conflict', `This order is ${row.status} already: there is nothing left to cancel.`)
      if (row.network !== venues.network)
        throw new AppError('conflict', `This order is on the ${row.network}; TESTNET has to be set to that network.`)
      const account = await venues.of(userId)
      await recordAudit(db.orm, {
        actorId: userId,
        address,
        action: 'order.cancel_asked',
        subject: { type: 'order', id },
      })
      const cancel = () => real.cancel(id, account)
      if (row.guardsId === null) await cancel()
      else await guard.release(row.guardsId, cancel)
      return orders.read(db.orm, id)
    },
  }
}
export type RealDesk = ReturnType<typeof createRealDesk>

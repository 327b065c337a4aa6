import { AppError } from '@shapecast/contracts/errors'
import { exchangeName } from '@shapecast/contracts/exchanges'
import { floorToLot } from '@shapecast/engine/models/sizing'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import type { VenueOrder } from '@shapecast/venues/live-trading'
import { type AccountKey, type AccountStore, realOf } from '../books/account-store.ts'
import { numberOf, shown, type Units } from '../books/money.ts'
import type { OrderStore } from '../books/order-store.ts'
import type { OrderRow } from '../books/tables.ts'
import type { Broker, Placing } from '../broker/broker.ts'
import type { AccountMarket, Quote } from '../broker/market-prices.ts'
import { lotsOf, onGrid, requireFewer, requireOnGrid, requireUnsettled, requireWorth } from '../broker/order-rules.ts'
import { otherSide } from './bot-holding.ts'
import type { LimitService, Weighed } from './limit-service.ts'
import { FIRST_LOOK_MS } from './order-progress.ts'
import type { SentOrderStore } from './sent-order-store.ts'
import type { SentOrders } from './sent-orders.ts'
import type { StopGuard } from './stop-guard.ts'
import type { VenueAccount, VenueAccounts } from './venue-accounts.ts'

export interface ExchangeBrokerDeps {
  db: Database
  market: AccountMarket
  accounts: AccountStore
  orders: OrderStore
  sent: SentOrderStore
  sending: SentOrders
  venues: VenueAccounts
  guard: StopGuard
  limits: LimitService
  log: Logger
  now: () => number
}

/** Whose order it is, and who is asked whether it may be so large. */
export interface Owner {
  readonly key: AccountKey
  /** What it counts for, in quote, under the account's lock. Throws `over_limit`. */
  weigh(tx: Orm, order: Weighed): Promise<Units>
}

/** Real orders of one account of which the exchange may still have news. */
const MOST_UNSETTLED = 50
/**
 * Orders of a person's own account at the exchange. The intent is committed before anything is sent; an order is sent
 * once, under an id that is the same for every try, and asked about afterwards. Throws what `VenueAccounts.of` throws.
 */
export const createExchangeBroker = (deps: ExchangeBrokerDeps) => {
  const { db, market, accounts, orders, sent, sending, venues, guard, limits, log, now } = deps
  const { network } = venues

  /** A worker does it where this fails. */
  async function guardNow(buyId: string, account: VenueAccount): Promise<void> {
    try {
      await guard.guard(buyId, account)
    } catch (error) {
      log.error({ err: error, order: buyId }, 'a stop-loss or take profit could not be placed yet')
      await guard.putOff(buyId, error instanceof AppError ? error.message : 'an error of ours.')
    }
  }

  /** `found`: what the exchange has under the order's id already, though its record was lost. */
  function placing(owner: Owner, account: VenueAccount, quote: Quote, found: VenueOrder | null): Placing {
    const { id: symbol, base } = quote.market
    const { mark: keyMark, trading } = account
    const { marketType } = trading
    const isSpot = marketType === 'spot'
    let freeAtExchange = 0
    let lifted: string[] = []
    return {
      async freeCoins() {
        const accountId = await accounts.find(db.orm, owner.key)
        if (accountId !== undefined) lifted = await guard.lift({ accountId, symbol }, account)
        // A position is as large as our own orders have made it, and what closes it can do no more than that.
        freeAtExchange = isSpot
          ? ((await trading.balances()).find(({ asset }) => asset === base)?.free ?? 0)
          : Number.POSITIVE_INFINITY
      },

      async sellable(tx, accountId, side = 'sell') {
        const entered = isSpot ? {} : { entrySide: otherSide(side) }
        const held = numberOf(await sent.held(tx, { accountId, keyMark, symbol, base, ...entered }))
        const { lotSize, minNotional } = quote.market
        const leastWorth = isSpot ? minNotional : 0
        return { held, free: floorToLot(Math.min(held, freeAtExchange), lotSize), leastWorth }
      },

      async place(
        tx,
        accountId,
        {
          clientOrderId,
          side,
          type,
          price,
          source,
          stopPrice,
          stopPct,
          targetPct = null,
          reduceOnly = false,
          exitReason,
          quantity: wanted,
        },
      ) {
        quote.requireFresh()
        requireOnGrid(quote, price)
        const quantity = lotsOf(quote, wanted)
        if (!reduceOnly) requireWorth(quote, numberOf(quantity) * (price ?? quote.price))
        requireFewer(await orders.countUnsettled(tx, accountId), MOST_UNSETTLED)
        const of = { accountId, keyMark, symbol, side, quantity }
        const weighed = { ...of, base, market: marketType, price: price ?? quote.price }
        const counted = reduceOnly ? 0n : await owner.weigh(tx, weighed)
        const guarded =
          stopPrice === null && targetPct === null
            ? {}
            : {
                guardPrice: stopPrice === null ? null : onGrid(quote.market, stopPrice),
                guardPct: stopPct ?? null,
                targetPct,
                nextGuardMs: now() + FIRST_LOOK_MS,
              }
        return sending.intend(tx, {
          ...of,
          ...guarded,
          clientOrderId,
          type,
          price,
          reduceOnly,
          source,
          counted,
          exitReason: exitReason ?? null,
        })
      },

      async carryOut(order) {
        if (found === null) await sending.send(order, account)
        else await sending.adopt(order.id, found, account)
        if (order.nextGuardMs !== null) await guardNow(order.id, account)
      },

      end: () => guard.restore(lifted, account),
    }
  }

  /** The way of one order to the exchange. It shows that key, clock and markets are in order before anything is written. */
  const prepare = async (owner: Owner, account: VenueAccount, quote: Quote, clientOrderId: string): Promise<Placing> =>
    placing(owner, account, quote, await account.trading.findOrder(quote.market.id, clientOrderId))

  /** Throws `unprocessable` where the exchange takes no stop-loss of this symbol. */
  async function requireStops({ trading }: VenueAccount, symbol: string): Promise<void> {
    if (await trading.takesStops(symbol)) return
    throw new AppError(
      'unprocessable',
      `${exchangeName(market.venue)} takes no stop orders for ${symbol}: nothing was sent. Set enableStopLoss to false to trade for real without a stop-loss.`,
      { field: 'enableStopLoss' },
    )
  }

  async function ofUser(userId: string): Promise<Broker> {
    const account = await venues.of(userId)
    const owner: Owner = { key: realOf(userId, network), weigh: (tx, order) => limits.require(tx, userId, order) }
    return {
      key: realOf(userId, network),
      deposit: 0n,
      origin: { isVirtual: false, venue: market.venue, market: market.kind, network },

      async notice(orm) {
        const { maxOrderNotional, maxDayNotional, currency } = await limits.read(userId, orm)
        const where =
          network === 'testnet'
            ? `Real orders at the sandbox of ${exchangeName(market.venue)} (testnet): no money of value.`
            : `REAL MONEY: orders go to your own account at ${exchangeName(market.venue)}.`
        return `${where} Limits: at most ${shown(maxOrderNotional)} ${currency} an order and ${shown(maxDayNotional)} ${currency} in 24 hours.`
      },

      requireStops: (symbol) => requireStops(account, symbol),

      prepare: (quote, clientOrderId) => prepare(owner, account, quote, clientOrderId),

      async cancel({ id, guardsId }: OrderRow, address) {
        requireUnsettled(await orders.row(db.orm, id))
        await recordAudit(db.orm, {
          actorId: userId,
          address,
          action: 'order.cancel_asked',
          subject: { type: 'order', id },
        })
        const cancel = () => sending.cancel(id, account)
        if (guardsId === null) await cancel()
        else await guard.release(guardsId, cancel)
      },
    }
  }
  return { ofUser, prepare, requireStops }
}

import { AppError } from '@shapecast/contracts/errors'
import { exchangeName, type RealMarket } from '@shapecast/contracts/exchanges'
import { floorToLot } from '@shapecast/engine/models/sizing'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { withoutLimit } from '@shapecast/platform/database/time-limit'
import type { VenueOrder, WaitingCaps } from '@shapecast/venues/live-trading'
import { type AccountKey, realOf } from '../ledger/account-store.ts'
import type { Broker, Placing } from '../ledger/broker.ts'
import type { Quote } from '../ledger/market-prices.ts'
import { least, numberOf, shown, type Units, unitsOf } from '../ledger/money.ts'
import { lotsOf, onGrid, requireFewer, requireOnGrid, requireUnsettled, requireWorth } from '../ledger/order-rules.ts'
import type { OrderRow } from '../ledger/tables.ts'
import { FIRST_LOOK_MS } from './order-progress.ts'
import { heldFree } from './own-coins.ts'
import { otherSide } from './protective-legs.ts'
import * as sending from './sent-orders.ts'
import { coinsOfBots, onSale, waitingOrders } from './shared-account.ts'
import * as guards from './stop-guard.ts'
import { readLimits, requireWithinLimits, type Weighed } from './trading-limits.ts'
import type { ExchangeContext, VenueAccount } from './venue-accounts.ts'

// Orders of a person's own account at the exchange. The intent is committed before anything is sent; an order is sent
// once, under an id that is the same for every try, and asked about afterwards. Throws what `VenueAccounts.of` throws.

/** Whose order it is, and who is asked whether it may be so large. */
export interface Owner {
  readonly key: AccountKey
  /** What it counts for, in quote, under the account's lock. Throws `over_limit`. */
  weigh(tx: Orm, order: Weighed): Promise<Units>
}

/** Throws `insufficient_funds` for a sale of what is not the owner's. Under the account's lock. */
type RequireOwn = (tx: Orm, accountId: string, quantity: Units) => Promise<void>

/** Real orders of one account that the exchange may still have news of. */
const MOST_UNSETTLED = 50

/** A worker does it where this fails. */
async function guardNow(ctx: ExchangeContext, entry: OrderRow, account: VenueAccount): Promise<void> {
  try {
    await guards.guard(ctx, entry, account)
  } catch (error) {
    ctx.log.error({ err: error, order: entry.id }, 'a stop-loss or take profit could not be placed yet')
    await guards.putOff(ctx, entry, error instanceof AppError ? error.message : 'an error of ours.')
  }
}

/**
 * Throws `unprocessable` where the exchange would refuse an order that is to wait, or the stop or the take profit of an
 * entry: so many wait already.
 */
async function requireRoom(
  ctx: ExchangeContext,
  tx: Orm,
  of: { keyMark: string; symbol: string; market: RealMarket },
  { legs, limits }: { legs: number; limits: number },
  most: WaitingCaps,
): Promise<void> {
  if (legs + limits === 0) return
  const waiting = await waitingOrders(ctx, tx, of)
  const isFull = waiting.all + legs + limits > most.all
  if (!isFull && (legs === 0 || waiting.conditional + legs <= most.conditional)) return
  const [cap, what] = isFull ? [most.all, 'orders'] : [most.conditional, 'stops and take profits']
  const wanted = limits > 0 ? 'this order' : `the ${legs === 1 ? 'one' : 'two'} of this order`
  throw new AppError(
    'unprocessable',
    `${exchangeName(ctx.market.venue)} lets at most ${cap} ${what} of ${of.symbol} wait in one account, and with what waits already there is no room for ${wanted}. Nothing was sent.`,
  )
}

/** Sees that a sale of a person takes none of the coins that their bots hold, or may hold by now. */
async function bewareOfBots(
  ctx: ExchangeContext,
  userId: string,
  { trading }: VenueAccount,
  { base }: Quote['market'],
): Promise<RequireOwn> {
  const { db, market } = ctx
  const symbols = (await market.markets()).filter((one) => one.base === base).map(({ id }) => id)
  const before = await coinsOfBots(ctx, db.orm, userId, symbols)
  const there = unitsOf((await trading.balances()).find(({ asset }) => asset === base)?.total ?? 0)
  return async (tx, accountId, quantity) => {
    const after = await coinsOfBots(ctx, tx, userId, symbols)
    const ofBots = before + after - least(before, after)
    if (ofBots === 0n) return
    const free = there - ofBots - (await onSale(tx, accountId, symbols))
    if (quantity <= free) return
    const coins = (units: Units) => `${shown(Math.max(0, numberOf(units)))} ${base}`
    throw new AppError(
      'insufficient_funds',
      `The account at ${exchangeName(market.venue)} has ${coins(there)}, of which ${coins(ofBots)} are your bots', and ${coins(free)} are left for this order. Nothing was sent. Stop a bot to have it sell what it holds.`,
      { field: 'amount' },
    )
  }
}

/**
 * `found`: what the exchange has under the order's id already, though its record was lost. `requireOwn` refuses sales of
 * what is not the owner's. `most` orders may wait at the exchange.
 */
function placing(
  ctx: ExchangeContext,
  owner: Owner,
  account: VenueAccount,
  quote: Quote,
  { found, most, requireOwn }: { found: VenueOrder | null; most: WaitingCaps; requireOwn: RequireOwn | undefined },
): Placing {
  const { db, accounts, orders, now } = ctx
  const { id: symbol, base } = quote.market
  const { mark: keyMark, trading } = account
  const { marketType } = trading
  const isSpot = marketType === 'spot'
  let freeAtExchange = 0
  let cancelled: Awaited<ReturnType<typeof guards.cancel>> = []
  return {
    async freeCoins() {
      const accountId = await accounts.find(db.orm, owner.key)
      if (accountId !== undefined) cancelled = await guards.cancel(ctx, { accountId, symbol }, account)
      // A position is as large as our own orders have made it, and what closes it can do no more than that.
      freeAtExchange = isSpot
        ? ((await trading.balances()).find(({ asset }) => asset === base)?.free ?? 0)
        : Number.POSITIVE_INFINITY
    },

    async sellable(tx, accountId, side = 'sell') {
      const entered = isSpot ? {} : { entrySide: otherSide(side) }
      const held = numberOf(await heldFree(ctx, tx, { accountId, keyMark, symbol, base, ...entered }))
      const { lotSize, minNotional } = quote.market
      const leastWorth = isSpot ? minNotional : 0
      return { held, free: floorToLot(Math.min(held, freeAtExchange), lotSize), leastWorth }
    },

    async place(tx, accountId, { quantity: asked, stopPrice, stopPct, targetPct = null, restsMs, ...wanted }) {
      quote.requireFresh()
      const { side, type, price, reduceOnly = false } = wanted
      requireOnGrid(quote, price)
      const quantity = lotsOf(quote, asked)
      const at = price ?? quote.price
      if (!reduceOnly) requireWorth(quote, numberOf(quantity) * at)
      requireFewer(await orders.countUnsettled(tx, accountId), MOST_UNSETTLED)
      await requireOwn?.(tx, accountId, quantity)
      const of = { accountId, keyMark, symbol, side, quantity }
      const counted = reduceOnly ? 0n : await owner.weigh(tx, { ...of, base, market: marketType, price: at })
      const legs = [stopPrice, targetPct].filter((leg) => leg !== null).length
      const waits = { legs, limits: type === 'limit' ? 1 : 0 }
      await requireRoom(ctx, tx, { keyMark, symbol, market: marketType }, waits, most)
      const protection = {
        guardPrice: stopPrice === null ? null : onGrid(quote.market, stopPrice),
        guardPct: stopPct ?? null,
        targetPct,
        nextGuardMs: now() + FIRST_LOOK_MS,
      }
      return sending.intend(ctx, tx, {
        clientOrderId: wanted.clientOrderId,
        source: wanted.source,
        exitReason: wanted.exitReason ?? null,
        restOfId: wanted.restOfId ?? null,
        ...of,
        ...(legs > 0 && protection),
        type,
        price,
        reduceOnly,
        counted,
        restsUntilMs: restsMs === undefined ? null : now() + restsMs,
      })
    },

    // For callers that wait for it: what is committed is sent or not by `SEND_WITHIN_MS`, and written down.
    carryOut: (order) =>
      withoutLimit(async () => {
        if (found === null) await sending.send(ctx, order, account)
        else await sending.adopt(ctx, order.id, found, account)
        if (order.nextGuardMs !== null) await guardNow(ctx, order, account)
      }),

    end: () => withoutLimit(() => guards.restore(ctx, cancelled, account)),
  }
}

/** The way of one order to the exchange. It shows that key, clock and markets are in order before anything is written. */
export async function prepare(
  ctx: ExchangeContext,
  owner: Owner,
  account: VenueAccount,
  quote: Quote,
  clientOrderId: string,
  requireOwn?: RequireOwn,
): Promise<Placing> {
  const { id } = quote.market
  const found = await account.trading.findOrder(id, clientOrderId)
  return placing(ctx, owner, account, quote, { found, most: await account.trading.mostWaiting(id), requireOwn })
}

/** Throws `unprocessable` where the exchange takes no stop-loss of this symbol. */
export async function requireStops(
  { market }: ExchangeContext,
  { trading }: VenueAccount,
  symbol: string,
): Promise<void> {
  if (await trading.takesStops(symbol)) return
  throw new AppError(
    'unprocessable',
    `${exchangeName(market.venue)} takes no stop orders for ${symbol}: nothing was sent. Set enableStopLoss to false to trade for real without a stop-loss.`,
    { field: 'enableStopLoss' },
  )
}

export async function ofUser(ctx: ExchangeContext, userId: string): Promise<Broker> {
  const { db, market, orders, venues, network } = ctx
  const name = exchangeName(market.venue)
  const account = await venues.of(userId)
  const owner: Owner = {
    key: realOf(userId, network),
    weigh: (tx, order) => requireWithinLimits(ctx, tx, userId, order),
  }
  return {
    key: realOf(userId, network),
    deposit: 0n,
    origin: { isVirtual: false, venue: market.venue, market: market.kind, network },

    async notice(orm) {
      const { maxOrderNotional, maxDayNotional, currency } = await readLimits(ctx, userId, orm)
      const where =
        network === 'testnet'
          ? `Real orders at the sandbox of ${name} (testnet): no money of value.`
          : `REAL MONEY: orders go to your own account at ${name}.`
      return `${where} Limits: at most ${shown(maxOrderNotional)} ${currency} an order and ${shown(maxDayNotional)} ${currency} in 24 hours.`
    },

    requireStops: (symbol) => requireStops(ctx, account, symbol),

    async prepare(quote, clientOrderId, side) {
      const requireOwn = side === 'sell' ? await bewareOfBots(ctx, userId, account, quote.market) : undefined
      return prepare(ctx, owner, account, quote, clientOrderId, requireOwn)
    },

    async cancel({ id, accountId, guardsId }, doer) {
      const order = await orders.row(db.orm, id)
      requireUnsettled(order)
      await recordAudit(db.orm, doer, {
        action: 'order.cancel_asked',
        subject: { type: 'order', id },
      })
      const cancel = () => sending.cancel(ctx, order, account)
      if (guardsId === null) await cancel()
      else await guards.release(ctx, { id: guardsId, accountId }, cancel)
    },
  }
}

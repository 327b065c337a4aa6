import { ACCOUNT_CURRENCY, MOST_OPEN_ORDERS } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import { floorToLot } from '@shapecast/engine/models/sizing'
import type { Orm } from '@shapecast/platform/database/database'
import type { AccountStore } from './account-store.ts'
import type { Quote } from './market-prices.ts'
import { numberOf, shown, type Units, unitsOf } from './money.ts'
import type { OrderStore } from './order-store.ts'
import { settle, worthOf } from './settle.ts'
import type { OrderRow } from './tables.ts'
import { crossingFill, FEES, type FillPrice, marketFill } from './virtual-fills.ts'

export interface WantedOrder {
  readonly clientOrderId: string
  readonly side: 'buy' | 'sell'
  readonly type: 'market' | 'limit' | 'stop'
  /** Base; rounded down to the lot. */
  readonly quantity: number
  /** Limit or stop price, quote per base. */
  readonly price: number | null
  readonly source: OrderRow['source']
}

const refused = (text: string, field: string) => new AppError('unprocessable', text, { field })
/** Whether `value` is a multiple of `step`, rounding of doubles aside. */
export const isMultiple = (value: number, step: number): boolean =>
  Math.abs(value / step - Math.round(value / step)) <= 1e-6 + Math.abs(value / step) * 1e-12

/**
 * What virtual orders do to an account. Every function wants a transaction that holds the account's lock. At all times:
 * open buys set aside at most the balance, open limit sales at most what is held, open stops at most what is held.
 */
export const createVirtualOrders = (deps: { accounts: AccountStore; orders: OrderStore; now: () => number }) => {
  const { accounts, orders, now } = deps

  /** Books a fill of an open order, and makes the stops fit what is still held after a sale. */
  async function fill(tx: Orm, order: OrderRow, { price, rawPrice }: FillPrice, marketMs: number): Promise<void> {
    const { accountId, symbol, side, quantity } = order
    const atMs = now()
    const held = await accounts.holding(tx, accountId, symbol)
    const settled = settle(held, { side, quantity, price }, FEES)
    const { notional, fee, pnl } = settled
    const fillId = await orders.insertFill(tx, {
      orderId: order.id,
      accountId,
      price,
      rawPrice,
      quantity,
      notional,
      fee,
      pnl,
      marketMs,
      atMs,
    })
    await accounts.book(tx, { accountId, kind: 'trade', amount: settled.cash, fillId, atMs })
    await accounts.book(tx, { accountId, kind: 'fee', amount: -fee, fillId, atMs })
    await accounts.hold(tx, { accountId, symbol }, settled.holding, { wasEmpty: held.quantity === 0n, atMs })
    await orders.change(tx, order.id, { status: 'filled', reserved: 0n, closedAtMs: atMs })
    if (side === 'sell') await fitStops(tx, accountId, symbol, settled.holding.quantity)
  }

  const cancel = (tx: Orm, order: OrderRow, reason: string): Promise<void> =>
    orders.change(tx, order.id, { status: 'cancelled', statusReason: reason, reserved: 0n, closedAtMs: now() })

  /** Stops sell no more than is held: the newest are kept. */
  async function fitStops(tx: Orm, accountId: string, symbol: string, held: Units): Promise<void> {
    let left = held
    for (const stop of await orders.openSales(tx, accountId, symbol, 'stop')) {
      if (left === 0n) await cancel(tx, stop, 'What it guarded has been sold.')
      else if (stop.quantity > left)
        await orders.change(tx, stop.id, { quantity: left, statusReason: 'Made smaller: a part of it has been sold.' })
      left = stop.quantity > left ? 0n : left - stop.quantity
    }
  }

  /** A stop goes before limit sales: the newest of them give way until it has its coins. */
  async function makeRoom(tx: Orm, stop: OrderRow): Promise<void> {
    const { quantity } = await accounts.holding(tx, stop.accountId, stop.symbol)
    let aside = await orders.setAside(tx, stop.accountId, stop.symbol)
    for (const sale of await orders.openSales(tx, stop.accountId, stop.symbol, 'limit')) {
      if (quantity - aside >= stop.quantity) return
      await cancel(tx, sale, 'Its coins were sold by the stop-loss.')
      aside -= sale.quantity
    }
  }

  /** Base that can be sold: held, and not set aside by open limit sales. */
  async function sellable(tx: Orm, accountId: string, symbol: string): Promise<{ held: Units; free: Units }> {
    const { quantity: held } = await accounts.holding(tx, accountId, symbol)
    return { held, free: held - (await orders.setAside(tx, accountId, symbol)) }
  }

  async function requireMoney(tx: Orm, accountId: string, needed: Units): Promise<void> {
    const { balance, reserved } = await accounts.money(tx, accountId)
    const free = balance - reserved
    if (needed <= free) return
    const aside = reserved > 0n ? ` (${shown(numberOf(reserved))} more are set aside by your open orders)` : ''
    throw new AppError(
      'insufficient_funds',
      `This needs ${shown(numberOf(needed))} ${ACCOUNT_CURRENCY}, the fee included; ${shown(numberOf(free))} are free${aside}. Choose a smaller amount.`,
      { field: 'amount' },
    )
  }

  async function requireCoins(tx: Orm, accountId: string, quote: Quote, quantity: Units): Promise<void> {
    const { base, id } = quote.market
    const { held, free } = await sellable(tx, accountId, id)
    if (quantity <= free) return
    if (held === 0n)
      throw refused(
        `You hold no ${base}. This is a spot account: a sale closes what is held, and cannot go short.`,
        'side',
      )
    const aside = free === held ? '' : `, of which ${shown(numberOf(held - free))} are set aside by open orders to sell`
    throw refused(`You hold ${shown(numberOf(held))} ${base}${aside}. Sell at most ${shown(numberOf(free))}.`, 'amount')
  }

  /** The quantity as the market takes it. Throws `unprocessable` where it is below the lot or the least value. */
  async function lotsOf(tx: Orm, accountId: string, quote: Quote, wanted: WantedOrder, price: number): Promise<Units> {
    const { lotSize, minNotional, base, id } = quote.market
    const quantity = unitsOf(floorToLot(wanted.quantity, lotSize))
    if (quantity <= 0n) throw refused(`The smallest amount of ${id} is ${shown(lotSize || 1e-8)} ${base}.`, 'amount')
    const notional = numberOf(quantity) * price
    if (notional >= minNotional || wanted.type === 'stop') return quantity
    // What is left of a position may always be closed.
    if (wanted.side === 'sell' && quantity === (await accounts.holding(tx, accountId, id)).quantity) return quantity
    throw refused(
      `The smallest order on ${id} is worth ${shown(minNotional)} ${ACCOUNT_CURRENCY}; this is worth ${shown(notional)}.`,
      'amount',
    )
  }

  return {
    fill,
    cancel,
    makeRoom,
    sellable,

    /**
     * Places an order: one that can be filled now is, the others wait. Throws `insufficient_funds` with what is needed,
     * `unprocessable` with what is wrong, and `venue_unreachable` where the price has become stale.
     */
    async place(tx: Orm, accountId: string, quote: Quote, wanted: WantedOrder): Promise<OrderRow> {
      const { market, marketNowMs } = quote
      quote.requireFresh()
      const { side, type, price } = wanted
      if (price !== null && type === 'limit' && market.tickSize > 0 && !isMultiple(price, market.tickSize))
        throw refused(`Prices of ${market.id} are multiples of ${shown(market.tickSize)}.`, 'price')
      const atOnce =
        type === 'market'
          ? marketFill(side, quote.price)
          : type === 'limit'
            ? crossingFill(side, price!, quote.price)
            : null
      const quantity = await lotsOf(tx, accountId, quote, wanted, atOnce?.price ?? price!)
      const { notional, fee } = worthOf({ quantity, price: atOnce?.price ?? price! }, FEES)
      if (side === 'buy') await requireMoney(tx, accountId, notional + fee)
      else if (type !== 'stop') await requireCoins(tx, accountId, quote, quantity)
      if (atOnce === null && (await orders.countOpen(tx, accountId)) >= MOST_OPEN_ORDERS)
        throw new AppError(
          'unprocessable',
          `An account has at most ${MOST_OPEN_ORDERS} open orders. Cancel some first.`,
        )
      const order = await orders.insert(tx, {
        accountId,
        clientOrderId: wanted.clientOrderId,
        symbol: market.id,
        side,
        type,
        status: 'open',
        quantity,
        price,
        reserved: side === 'buy' ? notional + fee : 0n,
        source: wanted.source,
        placedMarketMs: marketNowMs,
        createdAtMs: now(),
      })
      if (atOnce !== null) await fill(tx, order, atOnce, marketNowMs)
      return order
    },
  }
}
export type VirtualOrders = ReturnType<typeof createVirtualOrders>

import { ACCOUNT_CURRENCY, MOST_OPEN_ORDERS } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import type { Orm } from '@shapecast/platform/database/database'
import { bound } from '../../ground/bound.ts'
import type { WantedOrder } from '../../ledger/broker.ts'
import { cashOf, entriesOfFill } from '../../ledger/entries.ts'
import { applyFill } from '../../ledger/holding.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Quote } from '../../ledger/market-prices.ts'
import { numberOf, shown, type Units } from '../../ledger/money.ts'
import { lotsOf, refused, requireFewer, requireOnGrid, requireWorth } from '../../ledger/order-rules.ts'
import type { OrderRow } from '../../ledger/tables.ts'
import { crossingFill, type FillPrice, marketFill, worthOf } from './paper-fills.ts'
import type { WaitingOrderStore } from './waiting-order-store.ts'

type Wanted = Omit<WantedOrder, 'type' | 'stopPrice'> & { readonly type: OrderRow['type']; readonly guardsId?: string }

type Filling = Ledger & { waiting: WaitingOrderStore }

/**
 * What virtual orders do to an account. Every function wants a transaction that holds the account's lock. At all times:
 * open buys set aside at most the balance, open limit sales, open stops and open targets each at most what is held.
 */
export const createPaperOrders = (ctx: Filling) => bound(ctx, { fill, cancel, makeRoom, sellable, place })

/** Books a fill of an open order, and makes the stops fit what is still held after a sale. */
async function fill(
  ctx: Filling,
  tx: Orm,
  order: OrderRow,
  { price, rawPrice }: FillPrice,
  marketMs: number,
): Promise<void> {
  const { accounts, orders, now } = ctx
  const { accountId, symbol, side, quantity } = order
  const atMs = now()
  const held = await accounts.holding(tx, accountId, symbol)
  if (side === 'sell' && quantity > held.quantity)
    throw new RangeError(`a sale of ${quantity} where ${held.quantity} are held`)
  const { notional, fee } = worthOf(quantity, price)
  const applied = applyFill('spot', held, { side, quantity, price })
  const { holding, pnl } = applied
  const traded = { price, rawPrice, quantity, notional, fee, pnl, marketMs, atMs }
  const [made] = await orders.addFills(tx, [{ orderId: order.id, accountId, tradeId: '1', ...traded }])
  const moved = { market: 'spot', side, cash: cashOf('spot', held, applied) } as const
  await accounts.book(tx, entriesOfFill({ accountId, fillId: made!.id, atMs }, moved, [{ amount: fee }]))
  await accounts.hold(tx, [{ accountId, symbol, ...holding, openedAtMs: atMs }])
  const filled = { status: 'filled', filled: quantity, average: price, reserved: 0n, closedAtMs: atMs } as const
  await orders.change(tx, order.id, filled)
  if (side === 'buy') return
  for (const guard of order.guardsId === null ? [] : await orders.stopsOf(tx, order.guardsId))
    if (guard.id !== order.id && guard.status === 'open')
      await cancel(ctx, tx, guard, `Its ${order.type === 'stop' ? 'stop-loss' : 'take profit'} has sold.`)
  for (const type of ['stop', 'take_profit'] as const) await fit(ctx, tx, order, holding.quantity, type)
}

const cancel = ({ orders, now }: Filling, tx: Orm, { id }: OrderRow, reason: string): Promise<void> =>
  orders.change(tx, id, { status: 'cancelled', statusReason: reason, reserved: 0n, closedAtMs: now() })

/** Stops sell no more than is held, nor do targets: the newest are kept. */
async function fit(
  ctx: Filling,
  tx: Orm,
  { accountId, symbol }: OrderRow,
  held: Units,
  type: 'stop' | 'take_profit',
): Promise<void> {
  let left = held
  for (const stop of await ctx.waiting.openSales(tx, accountId, symbol, type)) {
    if (left === 0n) await cancel(ctx, tx, stop, 'What it guarded has been sold.')
    else if (stop.quantity > left)
      await ctx.orders.change(tx, stop.id, {
        quantity: left,
        statusReason: 'Made smaller: a part of it has been sold.',
      })
    left = stop.quantity > left ? 0n : left - stop.quantity
  }
}

/** A stop or target goes before limit sales: the newest of them give way until it has its coins. */
async function makeRoom(ctx: Filling, tx: Orm, { accountId, symbol, quantity }: OrderRow): Promise<void> {
  let { free } = await sellable(ctx, tx, accountId, symbol)
  for (const sale of await ctx.waiting.openSales(tx, accountId, symbol, 'limit')) {
    if (free >= quantity) return
    await cancel(ctx, tx, sale, 'Its coins were sold by a stop-loss or take profit.')
    free += sale.quantity
  }
}

/** Base that can be sold: held, and not set aside by open limit sales. */
async function sellable({ accounts, waiting }: Filling, tx: Orm, accountId: string, symbol: string) {
  const { quantity: held } = await accounts.holding(tx, accountId, symbol)
  return { held, free: held - (await waiting.setAside(tx, accountId, symbol)) }
}

async function requireMoney({ accounts }: Filling, tx: Orm, accountId: string, needed: Units): Promise<void> {
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

async function requireCoins(
  ctx: Filling,
  tx: Orm,
  accountId: string,
  { market: { base, id } }: Quote,
  quantity: Units,
): Promise<void> {
  const { held, free } = await sellable(ctx, tx, accountId, id)
  if (quantity <= free) return
  if (held === 0n)
    throw refused(
      `You hold no ${base}. This is a spot account: a sale closes what is held, and cannot go short.`,
      'side',
    )
  const aside = free === held ? '' : `, of which ${shown(numberOf(held - free))} are set aside by open orders to sell`
  throw refused(`You hold ${shown(numberOf(held))} ${base}${aside}. Sell at most ${shown(numberOf(free))}.`, 'amount')
}

/**
 * Places an order: one that can be filled now is, the others wait. Throws `insufficient_funds` with what is needed,
 * `unprocessable` with what is wrong, and `venue_unreachable` where the price has become stale.
 */
async function place(ctx: Filling, tx: Orm, accountId: string, quote: Quote, wanted: Wanted): Promise<OrderRow> {
  const { accounts, orders, now } = ctx
  const { market, marketNowMs } = quote
  quote.requireFresh()
  const { clientOrderId, side, type, price, source, guardsId = null } = wanted
  if (type === 'limit') requireOnGrid(quote, price)
  const atOnce =
    type === 'market'
      ? marketFill(side, quote.price)
      : type === 'limit'
        ? crossingFill(side, price!, quote.price)
        : null
  const quantity = lotsOf(quote, wanted.quantity)
  const { notional, fee } = worthOf(quantity, atOnce?.price ?? price!)
  const guards = type === 'stop' || type === 'take_profit'
  // What is left of a position may always be closed, however little it is worth.
  const closesAll = side === 'sell' && quantity === (await accounts.holding(tx, accountId, market.id)).quantity
  if (!guards && !closesAll) requireWorth(quote, numberOf(notional))
  if (side === 'buy') await requireMoney(ctx, tx, accountId, notional + fee)
  else if (!guards) await requireCoins(ctx, tx, accountId, quote, quantity)
  if (atOnce === null) requireFewer(await orders.countUnsettled(tx, accountId), MOST_OPEN_ORDERS)
  const order = await orders.insert(tx, {
    accountId,
    clientOrderId,
    symbol: market.id,
    side,
    type,
    status: 'open',
    quantity,
    price,
    source,
    guardsId,
    reserved: side === 'buy' ? notional + fee : 0n,
    placedMarketMs: marketNowMs,
    createdAtMs: now(),
  })
  if (atOnce !== null) await fill(ctx, tx, order, atOnce, marketNowMs)
  return order
}

export type PaperOrders = ReturnType<typeof createPaperOrders>

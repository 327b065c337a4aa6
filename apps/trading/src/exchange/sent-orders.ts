import { ACCOUNT_CURRENCY } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import { SYSTEM } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { OrderRequest, VenueFill, VenueOrder } from '@shapecast/venues/live-trading'
import { freshTicker } from '../ledger/market-prices.ts'
import { numberOf } from '../ledger/money.ts'
import type { NewOrder } from '../ledger/order-store.ts'
import type { OrderRow } from '../ledger/tables.ts'
import {
  exceeds,
  excessOf,
  FIRST_LOOK_MS,
  GIVE_UP_AFTER_MS,
  nextLook,
  progressOf,
  SEND_WITHIN_MS,
  tradedIn,
  withoutNews,
} from './order-progress.ts'
import { claimOf } from './own-coins.ts'
import { addEvent, bookTrades, bookTradesOfBot, type FeeWorth, knownFilled } from './sent-order-store.ts'
import type { ExchangeContext, VenueAccount } from './venue-accounts.ts'

/** What is written down of an order before it is sent. */
export type Intent = Omit<NewOrder, 'status' | 'createdAtMs'> & { readonly keyMark: string }

const UNKNOWN =
  'It is not known yet whether the exchange has this order. It is being looked up; do not send it again, it may exist.'
/** Refusals: the exchange has looked at the order and said no. */
const REFUSED: ReadonlySet<string> = new Set(['order_rejected', 'insufficient_funds', 'unknown_symbol'])
/** The exchange has not even looked at the order. */
const NOT_TAKEN: ReadonlySet<string> = new Set(['venue_auth_failed', 'venue_rate_limited', 'venue_unreachable'])

// Orders at the exchange, each sent at most once. The intent is committed first; from then on an order only ever is
// looked up by its client order id, by whichever process lives, until the exchange has said what became of it.

/** What becomes of an order under its lock, and what was said that made it so, which is kept. */
interface Change {
  readonly set?: Partial<OrderRow>
  readonly event?: Parameters<typeof addEvent>[2]
  readonly said?: unknown
}

/** One change of an order under its lock; a status that something said has made is put on record. Answers the order after it. */
const change = (
  ctx: ExchangeContext,
  id: string,
  work: (row: OrderRow, tx: Orm) => Change | Promise<Change>,
): Promise<OrderRow> =>
  ctx.db.orm.transaction(async (tx) => {
    const { orders, now } = ctx
    const row = await orders.lock(tx, id)
    const { set = {}, event, said } = await work(row, tx)
    await orders.change(tx, id, set)
    if (event !== undefined) {
      await addEvent(tx, id, event, said, now())
      const before = { status: row.status, filled: numberOf(row.filled) }
      if (set.status !== undefined) await orders.audit(tx, SYSTEM, set.status, id, before)
    }
    return { ...row, ...set }
  })

/** Writes down what the exchange says of an order. */
const apply = (
  ctx: ExchangeContext,
  id: string,
  said: VenueOrder,
  event: 'reply' | 'look' | 'cancel',
): Promise<OrderRow> =>
  change(ctx, id, async (row, tx) => {
    const progress = progressOf(row, said, ctx.now())
    const isNews = progress.status !== row.status || progress.filled !== row.filled || row.venueOrderId === null
    const looks = isNews ? 0 : row.looks + 1
    const hasAllFills = progress.filled === 0n || (await knownFilled(tx, id)) >= progress.filled
    const nextLookMs = nextLook({ ...row, status: progress.status, looks, hasAllFills }, ctx.now())
    // One that a bot has taken for not placed is settled once more.
    const toSettle = row.toSettle || (row.source === 'bot' && isNews)
    if (isNews && (row.status === 'not_placed' || row.status === 'rejected'))
      ctx.log.error({ order: id, said }, 'an order that was taken for not placed is at the exchange after all')
    return { set: { ...progress, looks, nextLookMs, toSettle }, ...(isNews && { event, said }) }
  })

/** What the exchange calls the coin of a market, and what fees in any other coin but the account's cost (quote per coin, 0 where nobody can say). */
export async function worthOfFees(
  { market }: ExchangeContext,
  symbol: string,
  fills: readonly VenueFill[],
): Promise<FeeWorth> {
  const base = (await market.markets()).find(({ id }) => id === symbol)?.base ?? ''
  const others = new Set(fills.flatMap(({ fees }) => fees.map(({ asset }) => asset)))
  const prices = new Map<string, number>()
  for (const asset of others)
    if (asset !== base && asset !== ACCOUNT_CURRENCY)
      prices.set(asset, (await freshTicker(market, `${asset}${ACCOUNT_CURRENCY}`))?.last ?? 0)
  return { base, prices }
}

/** Asks for the trades of an order if there are some that we do not know. Throws what the exchange throws. */
async function readFills(ctx: ExchangeContext, order: OrderRow, { trading }: VenueAccount): Promise<void> {
  const { db, accounts, orders, now } = ctx
  const { id, accountId, symbol, venueOrderId, filled, nextLookMs } = order
  if (venueOrderId === null || filled === 0n || nextLookMs === null) return
  if ((await knownFilled(db.orm, id)) >= filled) return
  const fills = await trading.orderFills(symbol, venueOrderId)
  const worth = await worthOfFees(ctx, symbol, fills)
  await db.orm.transaction(async (tx) => {
    const account = await accounts.lock(tx, accountId)
    const row = await orders.lock(tx, id)
    if (exceeds(row, fills)) return noteExcess(ctx, tx, row, fills)
    const known =
      account.ownerKind === 'bot'
        ? await bookTradesOfBot(ctx, tx, account.market, row, fills, worth, now())
        : await bookTrades(ctx, tx, row, fills, worth, now())
    await orders.change(tx, id, { nextLookMs: nextLook({ ...row, hasAllFills: known >= row.filled }, now()) })
  })
}

/** Trades of more than was ordered are not booked: nobody knows whose they are. That `filled` is above `quantity` says so. */
async function noteExcess(
  { orders, now }: ExchangeContext,
  tx: Orm,
  row: OrderRow,
  fills: readonly VenueFill[],
): Promise<void> {
  const filled = tradedIn(fills)
  await orders.change(tx, row.id, {
    filled,
    statusReason: excessOf({ ...row, filled }),
    ...withoutNews(row, now()),
  })
  if (row.filled !== filled) await addEvent(tx, row.id, 'failure', { code: 'excess', fills }, now())
}

/** As `readFills`; the next look asks again if it fails. */
async function tryFills(ctx: ExchangeContext, order: OrderRow, account: VenueAccount): Promise<void> {
  try {
    await readFills(ctx, order, account)
  } catch (error) {
    ctx.log.warn({ err: error, order: order.id }, 'the trades of an order could not be read yet')
  }
}

/** Ends an order that nothing was reported of yet, unless somebody else has found it meanwhile. */
const end = (
  ctx: ExchangeContext,
  id: string,
  status: 'rejected' | 'not_placed',
  statusReason: string,
  said: unknown,
): Promise<OrderRow> =>
  change(ctx, id, (row) => {
    if (row.status !== 'sending') return {}
    const nowMs = ctx.now()
    const nextLookMs = nextLook({ ...row, status, looks: 0, hasAllFills: true }, nowMs)
    return { set: { status, statusReason, closedAtMs: nowMs, looks: 0, nextLookMs }, event: 'failure', said }
  })

/** "Refused, there is one of that id" means that there is one: whether a refused order is at the exchange, then applied. */
async function foundAfterAll(
  ctx: ExchangeContext,
  { id, symbol, clientOrderId }: OrderRow,
  account: VenueAccount,
): Promise<boolean> {
  try {
    const found = await account.trading.findOrder(symbol, clientOrderId)
    if (found !== null) await apply(ctx, id, found, 'look')
    return found !== null
  } catch (error) {
    ctx.log.warn({ err: error, order: id }, 'a refused order could not be looked up; it will be later')
    return false
  }
}

const doubt = (ctx: ExchangeContext, id: string, said: unknown): Promise<OrderRow> =>
  change(ctx, id, ({ status }) => ({
    ...(status === 'sending' && { set: { statusReason: UNKNOWN, nextLookMs: ctx.now() } }),
    event: 'failure',
    said,
  }))

/**
 * Asks the exchange what it knows of an order, which may have moved on since it was read, and answers the order after
 * that. One that it does not know is `not_placed` once it cannot arrive any more, and is never sent again. Throws what the
 * exchange throws.
 */
export async function look(ctx: ExchangeContext, row: OrderRow, account: VenueAccount): Promise<OrderRow> {
  const { now } = ctx
  const { id, status, keyMark } = row
  const find = () => account.trading.findOrder(row.symbol, row.clientOrderId, row.venueOrderId)
  const otherKey = keyMark !== account.mark
  const givesUp = status === 'sending' && !otherKey && now() - row.createdAtMs >= GIVE_UP_AFTER_MS
  // One wrong answer must not lose an order.
  const said = (await find()) ?? (givesUp ? await find() : null)
  if (said !== null) {
    const applied = await apply(ctx, id, said, 'look')
    await readFills(ctx, applied, account)
    return applied
  }
  if (givesUp) {
    const reason = 'The exchange does not know this order, and it cannot arrive any more: it was not placed.'
    return end(ctx, id, 'not_placed', reason, { code: 'not_found' })
  }
  const unseen = otherKey
    ? 'It was sent with another API key, of another account, and with the present one the exchange does not know it. Look at the account of the earlier key.'
    : 'The exchange says now that it does not know this order. It is being asked again.'
  const isSaid = status === 'open' || (status === 'sending' && otherKey)
  // Somebody else may have heard more meanwhile.
  return change(ctx, id, (locked) =>
    locked.status === status ? { set: { ...withoutNews(locked, now()), ...(isSaid && { statusReason: unseen }) } } : {},
  )
}

const requestOf = ({ now }: ExchangeContext, row: OrderRow): OrderRequest => ({
  symbol: row.symbol,
  side: row.side,
  type: row.type,
  quantity: numberOf(row.quantity),
  price: row.price ?? undefined,
  clientOrderId: row.clientOrderId,
  reduceOnly: row.reduceOnly,
  postOnly: row.restsUntilMs !== null,
  ageMs: now() - row.createdAtMs,
})

function requireOpen(status: OrderRow['status']): void {
  if (status === 'sending')
    throw new AppError(
      'conflict',
      'It is not known yet whether the exchange has this order, so it cannot be cancelled now. It is being looked up; try again in a moment.',
    )
  if (status !== 'open')
    throw new AppError('conflict', `This order is ${status} already: there is nothing left to cancel.`)
}

/** Writes an order down, to be sent once this is committed. */
export async function intend(ctx: ExchangeContext, tx: Orm, intent: Intent): Promise<OrderRow> {
  const { orders, now } = ctx
  const createdAtMs = now()
  const isBots = intent.source === 'bot'
  const row = await orders.insert(tx, {
    ...intent,
    ours: intent.side === 'sell' && !isBots ? await claimOf(ctx, tx, intent) : null,
    toSettle: isBots,
    status: 'sending',
    statusReason: UNKNOWN,
    createdAtMs,
    nextLookMs: createdAtMs + FIRST_LOOK_MS,
  })
  const { clientOrderId, symbol, side, type, quantity, price, reduceOnly } = row
  const said = { clientOrderId, symbol, side, type, quantity: numberOf(quantity), price, reduceOnly }
  await addEvent(tx, row.id, 'intent', said, createdAtMs)
  return row
}

/** Ends an order that this process has written down and, alone able to send it, does not. */
export const withdraw = (ctx: ExchangeContext, id: string, reason: string): Promise<OrderRow> =>
  end(ctx, id, 'not_placed', reason, { code: 'withdrawn' })

/**
 * Sends a committed order, once; with `target` that one too, as a pair in which either ends the other. Where nobody
 * can say what became of it, it returns and the order stays `sending`. Throws the refusal of the exchange, and why it
 * was not taken.
 */
export async function send(
  ctx: ExchangeContext,
  row: OrderRow,
  account: VenueAccount,
  target?: OrderRow,
): Promise<void> {
  const { log, now } = ctx
  const rows = target === undefined ? [row] : [row, target]
  const endAll = async (status: 'rejected' | 'not_placed', reason: string, told: unknown) => {
    for (const { id } of rows) await end(ctx, id, status, reason, told)
  }
  if (now() - row.createdAtMs > SEND_WITHIN_MS) {
    const reason = 'It was not sent: the server was held up for too long. Nothing was done; try again.'
    await endAll('not_placed', reason, { code: 'too_late' })
    throw new AppError('unavailable', reason)
  }
  let said: readonly VenueOrder[]
  try {
    const { trading } = account
    said =
      target === undefined
        ? [await trading.createOrder(requestOf(ctx, row))]
        : await trading.createPair(requestOf(ctx, row), requestOf(ctx, target))
  } catch (error) {
    const failure = error instanceof AppError ? error : null
    const told = { code: failure?.code ?? 'internal', text: failure?.message ?? 'an error of ours' }
    if (failure?.code === 'order_rejected') {
      let isThere = false
      for (const each of rows) isThere = (await foundAfterAll(ctx, each, account)) || isThere
      if (isThere) return
    }
    if (failure !== null && REFUSED.has(failure.code)) {
      await endAll('rejected', failure.message, told)
      throw failure
    }
    if (failure !== null && NOT_TAKEN.has(failure.code)) {
      await endAll('not_placed', `${failure.message} The order was not placed.`, told)
      throw failure
    }
    log.warn({ err: error, order: row.id }, 'it is not known what became of an order')
    for (const { id } of rows) await doubt(ctx, id, told)
    return
  }
  const applied: OrderRow[] = []
  try {
    for (const [k, { id }] of rows.entries()) applied.push(await apply(ctx, id, said[k]!, 'reply'))
  } catch (error) {
    // It is at the exchange: the next look writes down its state.
    log.error({ err: error, order: row.id }, 'what the exchange said of an order could not be written down')
    return
  }
  for (const order of applied) await tryFills(ctx, order, account)
}

/** Applies what the exchange has of an order already, as though it had just been sent. */
export async function adopt(ctx: ExchangeContext, id: string, found: VenueOrder, account: VenueAccount): Promise<void> {
  await tryFills(ctx, await apply(ctx, id, found, 'look'), account)
}

/**
 * Cancels an order that is open. Throws `conflict` where it is not, or where that is not known, and `order_ambiguous`
 * where the exchange does not say whether it was cancelled.
 */
export async function cancel(ctx: ExchangeContext, order: OrderRow, account: VenueAccount): Promise<void> {
  const row = order.status === 'sending' ? await look(ctx, order, account) : order
  const { id } = row
  requireOpen(row.status)
  let said: VenueOrder
  try {
    said = await account.trading.cancelOrder(row.symbol, row.clientOrderId)
  } catch (error) {
    await ctx.orders.change(ctx.db.orm, id, { looks: 0, nextLookMs: ctx.now() })
    if (!(error instanceof AppError) || (error.code !== 'not_found' && error.code !== 'order_ambiguous')) throw error
    const { status } = await look(ctx, row, account)
    if (status === 'open')
      throw new AppError(
        'order_ambiguous',
        'The exchange did not say whether it has cancelled the order, and shows it as open. Try again in a moment.',
      )
    if (status !== 'cancelled') requireOpen(status)
    return
  }
  await tryFills(ctx, await apply(ctx, id, said, 'cancel'), account)
}

/** Looks an order up; one that has rested for its time is cancelled. Throws what the exchange throws. */
export async function follow(ctx: ExchangeContext, listed: OrderRow, account: VenueAccount): Promise<void> {
  // Its rest may have ended since it was listed.
  const row = await ctx.orders.row(ctx.db.orm, listed.id)
  const { status, restsUntilMs } = row
  if (status !== 'open' || restsUntilMs === null || restsUntilMs > ctx.now()) {
    await look(ctx, row, account)
    return
  }
  try {
    await cancel(ctx, row, account)
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
  }
}

/** Post-only orders that rest no longer: the next look cancels them. */
export async function endRests({ orders, now }: ExchangeContext, tx: Orm, ids: readonly string[]): Promise<void> {
  for (const id of ids) await orders.change(tx, id, { restsUntilMs: now(), looks: 0, nextLookMs: now() })
}

/** For when an order cannot be looked up now. */
export const putOff = (ctx: ExchangeContext, id: string, reason: string | null): Promise<OrderRow> =>
  change(ctx, id, (row) => ({
    set: { ...withoutNews(row, ctx.now()), ...(reason !== null && { statusReason: reason }) },
  }))

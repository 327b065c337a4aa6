import { AppError } from '@shapecast/contracts/errors'
import type { Market } from '@shapecast/contracts/market'
import type { Orm } from '@shapecast/platform/database/database'
import type { VenuePosition } from '@shapecast/venues/live-trading'
import { freshTicker, type PriceSource } from '../ledger/market-prices.ts'
import { UNSETTLED } from '../ledger/order-store.ts'
import type { OrderRow } from '../ledger/tables.ts'
import {
  CANCELLED_MS,
  failed,
  type GuardChange,
  leftOver,
  NAMES,
  plan,
  type Seen,
  STANDING_MS,
  standing,
  wordsOf,
} from './guard-plan.ts'
import { type Group, groupsOf } from './protective-legs.ts'
import { unsettledLegs } from './sent-order-store.ts'
import * as sending from './sent-orders.ts'
import { type ExchangeContext, pricesFor, type VenueAccount } from './venue-accounts.ts'

/** What came of placing legs; `refused`: a stop-loss, and not for a reason that passes by itself. */
type Placed = GuardChange & { readonly refused?: boolean }

/** Any order would fare the same now. */
const LATER: ReadonlySet<string> = new Set(['unavailable', 'venue_rate_limited', 'venue_unreachable'])

/** What two groups of legs want of the row of their entry. */
function together(changes: readonly GuardChange[]): GuardChange {
  const times = changes.flatMap(({ nextGuardMs }) => nextGuardMs ?? [])
  const words = changes.flatMap(({ statusReason }) => statusReason ?? [])
  return {
    nextGuardMs: times.length > 0 ? Math.min(...times) : null,
    ...(changes.some(({ statusReason }) => statusReason !== undefined)
      ? { statusReason: words.length > 0 ? words.join(' ') : null }
      : {}),
  }
}

// The stop-losses and take profits of purchases, and on futures of entries of either side: orders that wait at the
// exchange, each with an intent of its own. What has to stand is kept with the entry, so that any process, after any
// crash, can see whether it does, and place what is missing.

/** What there is at the exchange to be closed, base. */
async function thereOf({ symbol, side }: OrderRow, rules: Market, { trading }: VenueAccount): Promise<Seen['has']> {
  const none = { free: 0, total: 0 }
  if (trading.marketType === 'spot') return (await trading.balances()).find(({ asset }) => asset === rules.base) ?? none
  const isOurs = (position: VenuePosition) => (position.side === 'long') === (side === 'buy')
  const held = (await trading.positions([symbol])).find(isOurs)?.quantity ?? 0
  return { free: held, total: held }
}

/** Null if there is no price now, or only a stale one. */
async function priceOf(prices: PriceSource, symbol: string): Promise<number | null> {
  const last = (await freshTicker(prices, symbol))?.last ?? 0
  return last > 0 ? last : null
}

/** An entry that has to be guarded. */
type Guarded = Pick<OrderRow, 'id' | 'accountId'>

/** Works on an entry under the locks of its account and itself. */
const locked = <T>(
  { db, accounts, orders }: ExchangeContext,
  { id, accountId }: Guarded,
  work: (tx: Orm, buy: OrderRow) => Promise<T>,
): Promise<T> =>
  db.orm.transaction(async (tx) => {
    await accounts.lock(tx, accountId)
    return work(tx, await orders.lock(tx, id))
  })

/** Sets when a purchase is looked at next, unless it is not guarded any more. */
const guardNext = (ctx: ExchangeContext, entry: Guarded, nextGuardMs: number): Promise<void> =>
  locked(ctx, entry, async (tx, buy) => {
    if (buy.nextGuardMs !== null) await ctx.orders.change(tx, buy.id, { nextGuardMs })
  })

/** Cancels a stop or target; one that has ended meanwhile is as good. Throws what the exchange throws. */
async function cancelLeg(ctx: ExchangeContext, leg: OrderRow, account: VenueAccount): Promise<void> {
  try {
    await sending.cancel(ctx, leg, account)
  } catch (error) {
    if (UNSETTLED.includes((await ctx.orders.row(ctx.db.orm, leg.id)).status)) throw error
  }
}

/**
 * Places `kinds` of a group that does not stand, or closes where the price has passed one of them. Null where the entry
 * is not guarded any more.
 */
async function placeOf(
  ctx: ExchangeContext,
  entry: Guarded,
  group: Group,
  kinds: Group,
  seen: Seen,
): Promise<Placed | null> {
  const { orders, log, now } = ctx
  const planned = await locked(ctx, entry, async (tx, buy) =>
    buy.nextGuardMs === null
      ? null
      : ((await standing(ctx, tx, buy, group, seen)) ?? (await plan(ctx, tx, buy, kinds, seen))),
  )
  if (planned === null || !('legs' in planned)) return planned
  const { legs } = planned
  let why = 'it is not known yet whether the exchange has it.'
  let refused = false
  try {
    await sending.send(ctx, legs[0], seen.account, legs[1])
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    why = error.message
    refused = legs[0].type === 'stop' && !LATER.has(error.code)
  }
  return locked(ctx, entry, async (tx, buy) => {
    const [kind] = kinds
    const leg = await orders.row(tx, legs[0].id)
    const open = !['sending', 'rejected', 'not_placed'].includes(leg.status)
    const nextGuardMs = now() + (open ? STANDING_MS : STANDING_MS * 2 ** Math.min(buy.guardTries, 3))
    if (!open) log.error({ order: entry.id, leg: leg.id, why }, `a ${NAMES[kind]} does not stand`)
    const statusReason = !open
      ? failed(kind, leg.price ?? (kind === 'stop' ? buy.guardPrice : null), why)
      : leg.status === 'open'
        ? await wordsOf(ctx, tx, buy, group, leg, seen)
        : null
    return { nextGuardMs, statusReason, refused }
  })
}

/**
 * Places a group of legs that does not stand. No position is left without its stop-loss for the sake of its target: where
 * the exchange refuses the stop, it is tried once more at once, alone, after a target that waits has been cancelled.
 */
async function place(ctx: ExchangeContext, entry: Guarded, group: Group, seen: Seen): Promise<Placed | null> {
  const { db, orders, log } = ctx
  const placed = await placeOf(ctx, entry, group, group, seen)
  if (placed?.refused !== true) return placed
  const targets = (await orders.stopsOf(db.orm, entry.id)).filter(
    (leg) => leg.type === 'take_profit' && UNSETTLED.includes(leg.status),
  )
  if (group.length === 1 && targets.length === 0) return placed
  log.error({ order: entry.id }, 'a stop-loss is placed without its take profit, with which it was refused')
  try {
    for (const target of targets) await cancelLeg(ctx, target, seen.account)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.error({ err: error, order: entry.id }, 'a take profit in the way of a stop-loss could not be cancelled')
    return placed
  }
  return placeOf(ctx, entry, group, ['stop'], seen)
}

/**
 * Sees to it that the stop and the target of an entry stand, or sells where the price has passed one of them already.
 * Throws what the exchange throws but refusals of them.
 */
export async function guard(ctx: ExchangeContext, entry: OrderRow, account: VenueAccount): Promise<void> {
  const { market, orders } = ctx
  const { symbol } = entry
  const groups = groupsOf(entry, account)
  const prices = pricesFor(market, account)
  const rules = (await prices.markets()).find(({ id }) => id === symbol)
  if (rules === undefined) throw new AppError('unknown_symbol', `${market.venue} has no market ${symbol} now.`)
  const old = account.trading.marketType === 'spot' ? [] : await locked(ctx, entry, (tx, buy) => leftOver(ctx, tx, buy))
  for (const leg of old) await cancelLeg(ctx, leg, account)
  const missing = await locked(ctx, entry, async (tx, buy) => {
    if (buy.nextGuardMs === null) return []
    const changes: (GuardChange | undefined)[] = []
    for (const kinds of groups) changes.push(await standing(ctx, tx, buy, kinds, { rules, account }))
    const stands = changes.flatMap((change) => change ?? [])
    if (stands.length === groups.length) await orders.change(tx, buy.id, together(stands))
    return groups.filter((_, k) => changes[k] === undefined).map((kinds) => ({ kinds, stands }))
  })
  if (missing.length === 0) return
  const has = await thereOf(entry, rules, account)
  const price = await priceOf(prices, symbol)
  const changes = [...missing[0]!.stands]
  for (const { kinds } of missing) {
    const placed = await place(ctx, entry, kinds, { has, price, account, rules })
    if (placed !== null) changes.push(placed)
    // A target would take the room that the stop needs.
    if (placed?.refused === true) break
  }
  await locked(ctx, entry, async (tx, buy) => {
    if (buy.nextGuardMs !== null && changes.length > 0) await orders.change(tx, buy.id, together(changes))
  })
}

/** For when nothing can be done now. */
export const putOff = (ctx: ExchangeContext, entry: Guarded, why: string): Promise<void> =>
  locked(ctx, entry, async (tx, buy) => {
    const { orders, now } = ctx
    if (buy.nextGuardMs === null) return
    const stands = (await orders.stopsOf(tx, buy.id)).some(({ status }) => status === 'open')
    const kind = buy.guardPrice === null ? 'take_profit' : 'stop'
    await orders.change(tx, buy.id, {
      nextGuardMs: now() + 2 * STANDING_MS,
      ...(stands || buy.filled === 0n ? {} : { statusReason: failed(kind, buy.guardPrice, why) }),
    })
  })

/** Has the owner cancel a stop by `cancel`: once that is done the purchase is not guarded any more. */
export async function release(ctx: ExchangeContext, entry: Guarded, cancel: () => Promise<void>): Promise<void> {
  const { orders, now } = ctx
  await guardNext(ctx, entry, now() + CANCELLED_MS)
  try {
    await cancel()
  } catch (error) {
    await guardNext(ctx, entry, now())
    throw error
  }
  const statusReason = 'Its stop-loss was cancelled by you.'
  await locked(ctx, entry, (tx) => orders.change(tx, entry.id, { nextGuardMs: null, statusReason }))
}

/**
 * Cancels the stops and targets of one coin so that what they guard can be sold. Answers the purchases that they
 * guarded: give them to `restore` whatever comes of the sale. Throws `conflict` where one may still be there.
 */
export async function cancel(
  ctx: ExchangeContext,
  of: { accountId: string; symbol: string },
  account: VenueAccount,
): Promise<Guarded[]> {
  const { db, now } = ctx
  const legs = await unsettledLegs(db.orm, { ...of, keyMark: account.mark })
  const ids = new Set(legs.flatMap(({ guardsId }) => guardsId ?? []))
  const buys = [...ids].map((id) => ({ id, accountId: of.accountId }))
  for (const buy of buys) await guardNext(ctx, buy, now() + CANCELLED_MS)
  try {
    for (const leg of legs) await cancelLeg(ctx, leg, account)
  } catch (error) {
    await restore(ctx, buys, account)
    throw error
  }
  return buys
}

/** Places again what was cancelled and has not been sold; a worker does it where this fails. */
export async function restore(ctx: ExchangeContext, buys: readonly Guarded[], account: VenueAccount): Promise<void> {
  for (const buy of buys)
    try {
      await guardNext(ctx, buy, ctx.now())
      await guard(ctx, await ctx.orders.row(ctx.db.orm, buy.id), account)
    } catch (error) {
      ctx.log.error({ err: error, order: buy.id }, 'a stop-loss could not be placed again; it will be tried again')
    }
}

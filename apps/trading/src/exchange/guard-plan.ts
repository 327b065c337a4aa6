import type { Market } from '@shapecast/contracts/market'
import { floorToLot } from '@shapecast/engine/models/sizing'
import { movedBy } from '@shapecast/engine/position'
import { SYSTEM } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { clientOrderId } from '@shapecast/venues/ccxt/client-order-id'
import { numberOf, shown, unitsOf } from '../ledger/money.ts'
import { onGrid } from '../ledger/order-rules.ts'
import { averagePrice, UNSETTLED } from '../ledger/order-store.ts'
import type { OrderRow } from '../ledger/tables.ts'
import { FIRST_LOOK_MS } from './order-progress.ts'
import { leftOf } from './own-coins.ts'
import { type Group, isConditional, kindOf, type LegKind, otherSide } from './protective-legs.ts'
import { hasUnsettled, knownFilled } from './sent-order-store.ts'
import { intend } from './sent-orders.ts'
import type { ExchangeContext, VenueAccount } from './venue-accounts.ts'

/** Between looks at a stop or target that stands. */
export const STANDING_MS = 5_000
/** For so long nothing new is placed where a leg was cancelled for a sale. */
export const CANCELLED_MS = 60_000
/** Between looks at what is too little for a stop. */
const TOO_LITTLE_MS = 60_000
/** What an account is said to have may lag so long behind its trades. */
const SETTLED_MS = 60_000

export const NAMES = { stop: 'stop-loss', take_profit: 'take profit' } as const

export const failed = (kind: LegKind, price: number | null, why: string): string =>
  `THE ${NAMES[kind].toUpperCase()}${price === null ? '' : ` AT ${shown(price)}`} DOES NOT STAND: ${why} It is being tried again.`

/** What has to change in the row of an entry: when it is looked at next, and what is said of it. */
export interface GuardChange {
  readonly nextGuardMs: number | null
  /** Left out: as before. */
  readonly statusReason?: string | null
}

/** What there is at the exchange to be closed (base), and the last price there; null where it is not known. */
export interface Seen {
  readonly has: { readonly free: number; readonly total: number }
  readonly price: number | null
  readonly account: VenueAccount
  readonly rules: Market
}
type Traded = Pick<Seen, 'account' | 'rules'>

/** What is to be said where a stop-loss stands alone, since the exchange has refused it together with the target. */
function withoutTarget(legs: readonly OrderRow[]): string | null {
  const target = legs.find(({ type }) => type === 'take_profit')
  return target?.status === 'rejected' || target?.status === 'not_placed'
    ? `The stop-loss stands. The take profit is watched by Shapecast, which has to run for it: ${target.statusReason}`
    : null
}

/** The side that closes what an order has opened, and on futures what says so. */
const exitOf = ({ side }: OrderRow, { trading }: VenueAccount) => ({
  side: otherSide(side),
  reduceOnly: trading.marketType === 'futures',
})

// What is to be done next about an entry is worked out each time from what was bought, sold and is under way.

/**
 * Lots of an entry that are neither closed nor in an order that is to close them. The other leg, which waits for the same
 * lots, takes what it has filled and no more: of the two only one can have them.
 */
async function unguarded(ctx: ExchangeContext, tx: Orm, buy: OrderRow, kind: LegKind, { rules, account }: Traded) {
  const { accountId, keyMark, symbol, id, side } = buy
  const entered = account.trading.marketType === 'spot' ? {} : { entrySide: side }
  const isOther = (order: OrderRow) => isConditional(order) && kindOf(order) !== kind
  const of = { accountId, keyMark: keyMark!, symbol, base: rules.base, ...entered }
  return floorToLot(numberOf(await leftOf(ctx, tx, of, id, isOther)), rules.lotSize)
}

/** Where a leg stands: away from what was paid on average, where it is so much from it, else as it was asked for. */
async function priceOf(
  { orders }: ExchangeContext,
  tx: Orm,
  kind: LegKind,
  { id, side, guardPrice, guardPct, targetPct }: OrderRow,
  rules: Market,
) {
  const pct = kind === 'stop' ? guardPct : targetPct
  if (pct === null) return guardPrice!
  const average = averagePrice((await orders.fillsOf(tx, [id])).get(id) ?? [])
  const rises = (side === 'buy') === (kind === 'take_profit')
  return onGrid(rules, movedBy(average, rises ? 1 : -1, pct))
}

/** What is to be said of an entry whose leg is there already. */
export async function wordsOf(
  ctx: ExchangeContext,
  tx: Orm,
  buy: OrderRow,
  group: Group,
  leg: OrderRow,
  of: Traded,
): Promise<string | null> {
  const [kind] = group
  if (leg.status !== 'open') return failed(kind, leg.price, 'it is not known yet whether the exchange has it.')
  if (leg.statusReason !== null) return `It is not certain that the ${NAMES[kind]} stands. ${leg.statusReason}`
  const rest = await unguarded(ctx, tx, buy, kind, of)
  const covers = `${shown(numberOf(leg.quantity))} ${of.rules.base}`
  if (rest > 0)
    return `THE ${NAMES[kind].toUpperCase()} COVERS ${covers} ONLY: ${shown(rest)} were not free when it was placed.`
  return group.length > 1 ? withoutTarget(await ctx.orders.stopsOf(tx, buy.id)) : null
}

/** Legs of a position on futures that is none any more, which their exchange does not end by itself. */
export async function leftOver({ accounts, orders }: ExchangeContext, tx: Orm, entry: OrderRow): Promise<OrderRow[]> {
  const { quantity } = await accounts.holding(tx, entry.accountId, entry.symbol)
  if (entry.side === 'buy' ? quantity > 0n : quantity < 0n) return []
  return (await orders.stopsOf(tx, entry.id)).filter((leg) => leg.status === 'open' && isConditional(leg))
}

/** Under the account's lock: whether the legs are there already, or it is too early for them; else undefined. */
export async function standing(
  ctx: ExchangeContext,
  tx: Orm,
  buy: OrderRow,
  kinds: Group,
  of: Traded,
): Promise<GuardChange | undefined> {
  const { orders, now } = ctx
  const [kind] = kinds
  const legs = (await orders.stopsOf(tx, buy.id)).filter(
    (leg) => kinds.includes(kindOf(leg)) && UNSETTLED.includes(leg.status),
  )
  const leg = legs.find(({ status }) => status === 'sending') ?? legs[0]
  if (leg !== undefined)
    return { nextGuardMs: now() + STANDING_MS, statusReason: await wordsOf(ctx, tx, buy, kinds, leg, of) }
  const notYet = (why: string) => failed(kind, kind === 'stop' ? buy.guardPrice : null, why)
  if (buy.keyMark !== of.account.mark)
    return {
      nextGuardMs: now() + CANCELLED_MS,
      statusReason: notYet('its API key has been replaced by one of another account.'),
    }
  switch (buy.status) {
    case 'filled':
    case 'cancelled':
    case 'expired':
      if (buy.filled === 0n) return { nextGuardMs: null }
      if ((await knownFilled(tx, buy.id)) >= buy.filled) return undefined
      return { nextGuardMs: now() + 2_000, statusReason: notYet('what it has to guard is not known yet.') }
    default:
      // It is guarded once it has ended; one that was not placed may turn up for as long as it is looked up.
      return { nextGuardMs: buy.nextLookMs === null ? null : Math.max(buy.nextLookMs, now()) + 1_000 }
  }
}

/** What is to be done next about an entry whose legs are not there: a change of its row, or legs to be sent. */
export async function plan(
  ctx: ExchangeContext,
  tx: Orm,
  buy: OrderRow,
  kinds: Group,
  seen: Seen,
): Promise<GuardChange | { readonly legs: readonly [OrderRow, ...OrderRow[]] }> {
  const { orders, now } = ctx
  const { has, price, account, rules } = seen
  const { accountId, keyMark, symbol } = buy
  const exit = exitOf(buy, account)
  const isSpot = !exit.reduceOnly
  const [kind] = kinds
  const ours = await unguarded(ctx, tx, buy, kind, seen)
  if (ours <= 0) {
    const mayFill = await hasUnsettled(tx, { accountId, symbol, side: exit.side })
    return mayFill ? { nextGuardMs: now() + STANDING_MS } : { nextGuardMs: null, statusReason: null }
  }
  const prices = new Map<LegKind, number>()
  for (const each of kinds) prices.set(each, await priceOf(ctx, tx, each, buy, rules))
  const failing = (why: string) => failed(kind, prices.get(kind)!, why)
  const nextGuardMs = now() + STANDING_MS
  if (floorToLot(has.total, rules.lotSize) <= 0) {
    const gone = `Its ${isSpot ? 'coins are' : 'position is'} not at the exchange any more`
    return now() - (buy.closedAtMs ?? now()) < SETTLED_MS
      ? { nextGuardMs, statusReason: failing(`${gone}.`) }
      : { nextGuardMs: null, statusReason: `${gone}: there is no ${NAMES[kind]}.` }
  }
  const amount = floorToLot(Math.min(ours, has.free), rules.lotSize)
  if (amount <= 0) return { nextGuardMs, statusReason: failing('another order at the exchange has its coins.') }
  // The exchange refuses a leg whose price has been passed: then it closes at once, as it would have by then.
  const isPassed = (each: LegKind) => {
    const falls = (exit.side === 'sell') === (each === 'stop')
    return price !== null && (falls ? price <= prices.get(each)! : price >= prices.get(each)!)
  }
  const passed = kinds.find(isPassed)
  if (isSpot && amount * (passed === undefined ? Math.min(...prices.values()) : price!) < rules.minNotional)
    return {
      // It may stay so for ever, and each look costs as much as twenty others.
      nextGuardMs: now() + TOO_LITTLE_MS,
      statusReason: failing(`${shown(amount)} ${rules.base} are too little for it.`),
    }
  const legs: OrderRow[] = []
  for (const each of passed === undefined ? kinds : [passed])
    legs.push(
      await intend(ctx, tx, {
        accountId,
        keyMark: keyMark!,
        clientOrderId: clientOrderId(buy.clientOrderId, each, buy.guardTries),
        symbol,
        ...exit,
        type: passed === undefined ? each : 'market',
        quantity: unitsOf(amount),
        price: passed === undefined ? prices.get(each)! : null,
        source: buy.source === 'bot' ? 'bot' : 'auto_trade',
        exitReason: buy.source !== 'bot' ? null : each === 'stop' ? 'stop_loss' : 'take_profit',
        guardsId: buy.id,
      }),
    )
  await orders.change(tx, buy.id, {
    guardPrice: prices.get('stop') ?? buy.guardPrice,
    guardTries: buy.guardTries + 1,
    nextGuardMs: now() + FIRST_LOOK_MS,
  })
  for (const { id } of legs) await orders.audit(tx, SYSTEM, 'placed', id)
  return { legs: legs as [OrderRow, ...OrderRow[]] }
}

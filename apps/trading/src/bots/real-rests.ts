import { realBotLimitsOf } from '@shapecast/contracts/real-bots'
import { limitAt, RESTS_MS } from '@shapecast/engine/models/resting-order'
import { carriedQuantity, floorToLot } from '@shapecast/engine/models/sizing'
import { isToClose, type PairAccount, type Portfolio } from '@shapecast/engine/portfolio'
import { gainOf, notePosted } from '@shapecast/engine/post-only'
import type { RealLedger } from '../exchange/ended-orders.ts'
import type { PairFill } from './decide-bot.ts'
import { mayRetry } from './hand-wishes.ts'
import {
  blockedBy,
  freeCash,
  isSellable,
  type MoveInput,
  type MoveOrder,
  orderOf,
  type PairMarket,
  refusalOf,
} from './move-orders.ts'
import type { RealRest, RealState } from './tables.ts'

const TOO_LATE =
  'its post-only order was not filled, and it could not be taken at the market in time. The next close decides again.'

/** What rests of a bot's pairs, by symbol. */
export type Rests = NonNullable<RealState['rests']>

/** An order without a fill, with what its decision is to say. */
export interface Unfilled {
  readonly orderId: string
  readonly reason: string
}

/**
 * The fill of a decision as an order that rests at its close for an hour; null where it takes. A purchase is no more than the
 * money that is free now: what rests to be sold does not pay for it.
 */
export function restOf(
  fill: PairFill,
  { rules, price }: PairMarket,
  at: { readonly closeMs: number; readonly nowMs: number; readonly cash: number },
): { fill: PairFill; rest: RealRest } | null {
  const until = at.closeMs + RESTS_MS
  if (rules.postOnly === null || until <= at.nowMs) return null
  const side = fill.kind === 'entry' ? 1 : -1
  const limit = limitAt(fill.rawPrice, side, rules.postOnly.tickSize)
  const carried = side === 1 ? carriedQuantity(at.cash, limit, 1, rules.fees.largestRatio) : fill.quantity
  const quantity = floorToLot(Math.min(fill.quantity, carried), rules.lotSize)
  const rest = { side, quantity, limit, until, open: price ?? fill.rawPrice, filled: 0, takes: false } as const
  return { fill: { ...fill, quantity, price: limit, rawPrice: limit }, rest }
}

/** The order of a rest that was just decided. */
export const restingOrder = (order: MoveOrder, { limit, until }: RealRest, nowMs: number): MoveOrder => ({
  ...order,
  price: limit,
  rests: { limit, forMs: until - nowMs },
})

/**
 * Takes what ended orders have filled off what rests of their pairs, and counts what that made beside taking at once. One that
 * was refused since it would have crossed takes at once, and made nothing.
 */
export function settleRests(
  before: Rests,
  { pairs }: Portfolio,
  { ended }: RealLedger,
  markets: ReadonlyMap<string, PairMarket>,
  nowMs: number,
): { rests: Rests; unfilled: Unfilled[]; of: ReadonlySet<string> } {
  const rests: Record<string, RealRest> = { ...before }
  const unfilled: Unfilled[] = []
  const of = new Set<string>()
  for (const { id, symbol, type, filled, average, fee, wasPlaced, reason } of ended) {
    const rest = rests[symbol]
    const hasRested = type === 'limit'
    if (rest === undefined || !(hasRested || (rest.takes && type === 'market'))) continue
    of.add(id)
    const { rules } = markets.get(symbol)!
    const quantity = rest.quantity - filled
    const isDone = floorToLot(quantity, rules.lotSize) <= 0
    const waited = filled > 0 && (hasRested || nowMs >= rest.until)
    const cash = -rest.side * filled * average - fee
    if (wasPlaced)
      notePosted(pairs.find((pair) => pair.symbol === symbol)!.account, {
        orders: hasRested ? 1 : 0,
        filled: hasRested && isDone ? 1 : 0,
        gained: waited ? gainOf(rules, rest, filled, cash) : 0,
      })
    const orderId = hasRested ? id : rest.orderId
    const after = { ...rest, quantity, filled: rest.filled + filled, orderId, takes: false }
    const isOver = isDone || (!hasRested && wasPlaced)
    if (isOver) delete rests[symbol]
    else rests[symbol] = after
    if (isOver && after.filled === 0) unfilled.push({ orderId: orderId!, reason: `No order: ${reason}` })
  }
  return { rests, unfilled, of }
}

/** What is to be done about what rests. */
interface RestMove {
  readonly rests: Rests
  readonly orders: readonly MoveOrder[]
  /** Orders that rest no longer. */
  readonly ended: readonly string[]
  readonly unfilled: readonly Unfilled[]
}

/**
 * Ends what may not go on resting, and takes at the market what is left of an order that has ended. `pairs` of the portfolio
 * are the move's own: one whose rest comes too late decides again at its next close.
 */
export function moveRests(
  input: MoveInput,
  portfolio: Portfolio,
  of: { readonly real: RealState; readonly others: readonly MoveOrder[]; readonly revision: number },
): RestMove {
  const { ledger, nowMs } = input
  const rests: Record<string, RealRest> = { ...of.real.rests }
  const orders: MoveOrder[] = []
  const ended: string[] = []
  const unfilled: Unfilled[] = []
  for (const pair of portfolio.pairs) {
    const { symbol } = pair
    if (isOff(input, portfolio, pair)) delete rests[symbol]
    const rest = rests[symbol]
    const row = ledger.resting.get(symbol)
    if (row !== undefined && !row.isEnding && rest === undefined) ended.push(row.id)
    if (rest === undefined || rest.takes || ledger.busy.has(symbol) || nowMs < of.real.retryAtMs) continue
    const others = [...of.others, ...orders]
    if (others.some((order) => order.symbol === symbol)) continue
    const found = takeOf(input, portfolio, { pair, rest, others, revision: of.revision })
    if (found === null) continue
    if (found.order !== null) {
      orders.push(found.order)
      rests[symbol] = { ...rest, takes: true }
      continue
    }
    delete rests[symbol]
    if (rest.filled === 0) unfilled.push({ orderId: rest.orderId!, reason: `No order: ${found.why}` })
  }
  return { rests, orders, ended, unfilled }
}

/** Whether nothing of a pair may rest any more: the bot does not trade, or a person wants something else of it. */
const isOff = ({ running: { bot, state } }: MoveInput, { haltedAt }: Portfolio, pair: PairAccount): boolean =>
  bot.status !== 'active' || haltedAt >= 0 || state.closing || isToClose(pair) || pair.byHand !== undefined

/** The order for what is left of one that has ended, or why there is none; null where it has to wait. */
function takeOf(
  input: MoveInput,
  portfolio: Portfolio,
  of: { pair: PairAccount; rest: RealRest; others: readonly MoveOrder[]; revision: number },
): { order: MoveOrder } | { order: null; why: string } | null {
  const { running, ledger, markets, nowMs } = input
  const { pair, rest, others, revision } = of
  const { symbol, account } = pair
  const { rules, price } = markets.get(symbol)!
  const buys = rest.side === 1
  if (price === null || (buys && blockedBy(ledger) !== undefined)) return null
  if (!mayRetry({ askedMs: rest.until }, nowMs)) {
    pair.decidedDay = -1
    return { order: null, why: TOO_LATE }
  }
  const at = buys ? rules.fills.entry(price, 1) : price
  const most = buys
    ? carriedQuantity(freeCash(portfolio, ledger, others), at, 1, rules.fees.largestRatio)
    : account.size
  const quantity = floorToLot(Math.min(rest.quantity, most), rules.lotSize)
  if (!isSellable(quantity, price, rules))
    return { order: null, why: 'what is left is worth less than the market takes.' }
  const fill = { symbol, kind: buys ? 'entry' : 'exit', side: 'long', quantity, price: at, rawPrice: price } as const
  const due = { ...input, orders: others, lateMs: 0, step: rules.timeframeMs, isNew: false }
  const why = refusalOf(fill, portfolio, due, realBotLimitsOf(running.bot.parameters))
  if (why !== null) return { order: null, why }
  const exitReason = buys ? null : 'rebalance'
  const order = orderOf({ ...fill, exitReason }, 'rest', revision, running.bot)
  return { order: { ...order, decided: false, restOfId: rest.orderId } }
}

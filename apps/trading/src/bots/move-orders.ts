import type { RealBotLimits } from '@shapecast/contracts/real-bots'
import { floorToLot } from '@shapecast/engine/models/sizing'
import type { HandTarget, Portfolio } from '@shapecast/engine/portfolio'
import { movedBy } from '@shapecast/engine/position'
import type { Rules } from '@shapecast/engine/rules'
import type { BotOrder } from '../exchange/bot-orders.ts'
import type { RealLedger } from '../exchange/ended-orders.ts'
import type { PairFill } from './decide-bot.ts'
import type { DecisionRound } from './decision-round.ts'
import type { RunningBot } from './running-bots.ts'
import type { BotRow } from './tables.ts'

/** The market of a pair as a move finds it. */
export interface PairMarket {
  readonly rules: Rules
  /** Now, quote per base; null where it is not known. */
  readonly price: number | null
}

/** An order that a move wants. */
export interface MoveOrder extends BotOrder {
  /** At which it was wanted, quote per base. */
  readonly price: number
  /** Whether a decision of this move wants it. */
  readonly decided: boolean
  /** What a person asked for, where that wants it. */
  readonly byHand?: HandTarget & { readonly candleTs: number }
}

export interface MoveInput {
  readonly running: RunningBot
  readonly ledger: RealLedger
  /** By symbol. */
  readonly markets: ReadonlyMap<string, PairMarket>
  /** Null where no candle has closed, or none is to be decided. */
  readonly round: DecisionRound | null
  /** Entries since 00:00 UTC. */
  readonly dayOrders: number
  /** The market's clock, ms. */
  readonly nowMs: number
}

/** Whether coins are less than can be traded. */
export const isDust = (quantity: number, { lotSize }: Pick<Rules, 'lotSize'>): boolean =>
  floorToLot(quantity, lotSize) <= 0

/** Whether the exchange takes an order on spot that sells so much. */
export const isSellable = (quantity: number, price: number, { lotSize, minNotional }: Rules): boolean => {
  const lots = floorToLot(quantity, lotSize)
  return lots > 0 && !(price > 0 && lots * price < minNotional)
}

/** An entry comes so long after its close at most, or a tenth of a candle. */
export const LATE_MS = 60_000

/** Whether an entry comes too long after its close. */
export const isLate = ({ kind }: Pick<PairFill, 'kind'>, { lateMs, step }: { lateMs: number; step: number }): boolean =>
  kind !== 'exit' && lateMs > Math.max(LATE_MS, step / 10)

/** A fill that is wanted. */
export type WantedFill = Pick<PairFill, 'symbol' | 'kind' | 'side' | 'quantity' | 'price' | 'rawPrice'>

/** Whether an order under way of these symbols keeps another one from being bought: what it costs is not known yet. One that rests costs its limit. */
export const blockedBy = ({ busy, resting }: RealLedger): string | undefined =>
  [...busy].find((symbol) => !resting.has(symbol))

/** Money that is neither in coins nor set aside for purchases that rest, or that this move wants; quote. */
export const freeCash = (
  { balance, pairs }: Portfolio,
  { resting }: RealLedger,
  orders: readonly MoveOrder[],
): number =>
  balance -
  pairs.reduce((sum, { account }) => sum + account.size * account.entryPrice, 0) -
  restingCost(resting) -
  worthOf(orders.filter(({ closes }) => !closes))

const restingCost = (resting: RealLedger['resting']): number =>
  [...resting.values()].reduce((sum, { cost }) => sum + cost, 0)
const worthOf = (orders: readonly MoveOrder[]): number =>
  orders.reduce((sum, { quantity, price }) => sum + quantity * price, 0)

/** Why an order is not sent; null where it may be. `isNew` is false of one that takes what a purchase before it had left. */
export function refusalOf(
  fill: WantedFill,
  portfolio: Portfolio,
  {
    running,
    markets,
    ledger,
    dayOrders,
    orders,
    lateMs,
    step,
    isNew = true,
  }: MoveInput & { orders: readonly MoveOrder[]; lateMs: number; step: number; isNew?: boolean },
  limits: RealBotLimits,
): string | null {
  const { symbol, kind, quantity, price } = fill
  const busy = ledger.busy.has(symbol) ? symbol : kind === 'exit' ? undefined : blockedBy(ledger)
  if (busy !== undefined) return `its last order of ${busy} is not settled yet.`
  if (kind === 'exit') return null
  if (isLate(fill, { lateMs, step }))
    return `the candle closed ${Math.round(lateMs / 60_000)} minutes ago, too long to enter on it.`
  const tooSmall = tooSmallOf(fill, portfolio, running.bot, markets.get(symbol)!.rules)
  if (tooSmall !== null) return tooSmall
  const worth = quantity * price
  const entered = orders.filter(({ closes }) => !closes)
  // What this decision closes makes room.
  const closed = orders.filter((order) => order.closes && order.symbol === symbol)
  const held =
    portfolio.pairs.reduce((sum, { account, lastPrice }) => sum + Math.abs(account.size) * lastPrice, 0) -
    worthOf(closed) +
    worthOf(entered) +
    restingCost(ledger.resting)
  const times = dayOrders + entered.length
  const money = (amount: number) => amount.toFixed(2)
  if (worth > limits.maxOrderNotional)
    return `it would be worth ${money(worth)} USDT, and an order of this bot may be worth ${limits.maxOrderNotional}.`
  if (held + worth > limits.maxPositionNotional)
    return `with what it holds that would be ${money(held + worth)} USDT, and this bot may hold ${limits.maxPositionNotional}.`
  if (isNew && times >= limits.maxDayOrders)
    return `it has entered ${times} times since 00:00 UTC, and may enter ${limits.maxDayOrders} times a day.`
  return null
}

/** A fee of the exchange that is taken in the coins that are bought is no more than that, ratio. */
const MOST_FEE = 0.002

/** Why a purchase on spot could not be sold again, or its stop-loss not stand: the exchange takes no order of so little. */
function tooSmallOf(
  { symbol, quantity, rawPrice }: WantedFill,
  { pairs }: Portfolio,
  { marketType, stopLossPct }: BotRow,
  { lotSize, minNotional }: Rules,
): string | null {
  if (marketType !== 'spot') return null
  const { account } = pairs.find((pair) => pair.symbol === symbol)!
  const coins = floorToLot((account.size + quantity) * (1 - MOST_FEE), lotSize)
  const worth = coins * (stopLossPct > 0 ? movedBy(rawPrice, -1, stopLossPct) : rawPrice)
  if (worth >= minNotional) return null
  const when = stopLossPct > 0 ? 'at its stop-loss' : 'after its fee'
  return `${when} the position would be worth ${worth.toFixed(2)} USDT, and the exchange sells nothing under ${minNotional}: it needs a larger position.`
}

/** The order at the market that a fill stands for. */
export function orderOf(
  fill: WantedFill & Pick<PairFill, 'exitReason'>,
  leg: string,
  at: number,
  { stopLossPct, takeProfitPct }: BotRow,
): MoveOrder {
  const { symbol, kind, quantity, rawPrice: price } = fill
  const enters = kind === 'entry'
  const isLong = fill.side === 'long'
  const hasStop = enters && stopLossPct > 0
  return {
    symbol,
    side: enters === isLong ? 'buy' : 'sell',
    closes: !enters,
    quantity,
    leg,
    at,
    exitReason: fill.exitReason,
    stopPrice: hasStop ? movedBy(price, isLong ? -1 : 1, stopLossPct) : null,
    stopPct: hasStop ? stopLossPct : null,
    targetPct: enters && takeProfitPct > 0 ? takeProfitPct : null,
    price,
    decided: true,
  }
}

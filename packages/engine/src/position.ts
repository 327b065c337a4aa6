import type { Pct } from '@shapecast/contracts/units'
import { type Account, annualVolatility, freeBalance } from './account.ts'
import type { SkipReason, TradeExit } from './journal.ts'
import type { Side } from './models/fills.ts'
import { NEVER_ABOVE, NEVER_BELOW } from './models/liquidation.ts'
import { carriedQuantity, floorToLot, wantedQuantity } from './models/sizing.ts'
import type { Rules, Trader } from './rules.ts'

const nameOf = (side: number): 'long' | 'short' => (side > 0 ? 'long' : 'short')

/** Opens a position at `rawPrice`, as large as the sizing wants and the balance carries; else records why not. */
export function openPosition(trader: Trader, side: Side, rawPrice: number, time: number): void {
  const { account, rules } = trader
  const price = rules.fills.entry(rawPrice, side)
  const carried = carriedQuantity(freeBalance(account), price, rules.leverage, rules.fees.largestRatio)
  const wanted = wantedQuantity(rules.sizing, {
    equity: account.balance + account.profitElsewhere,
    leverage: rules.leverage,
    rawPrice,
    fillPrice: price,
    feeRatio: rules.fees.largestRatio,
    annualVolatility: annualVolatility(account, rules.candlesPerYear),
  })
  enter(trader, side, { rawPrice, price, wanted, carried, time })
}

/** An entry or an addition to one. Quantities in base: what the sizing wants, and what the free balance carries. */
export interface Entry {
  readonly rawPrice: number
  readonly price: number
  readonly wanted: number
  readonly carried: number
  readonly time: number
}

/**
 * Opens a position, or adds to the one on the same side at its average entry price, to which take profit and stop then
 * refer. Records why where it cannot.
 */
export function enter({ account, rules, journal }: Trader, side: Side, entry: Entry): void {
  const { rawPrice, price, wanted, carried, time } = entry
  const quantity = floorToLot(Math.min(wanted, carried), rules.lotSize)
  const obstacle = obstacleTo(quantity, carried, price, rules)
  if (obstacle !== null) {
    journal.skip(obstacle, time)
    return
  }
  if (wanted > carried) journal.reduced(wanted, quantity, time)

  const fee = rules.fees.fee(quantity * price)
  const held = Math.abs(account.size)
  const total = held + quantity
  const average = (before: number, now: number): number => (held === 0 ? now : (held * before + quantity * now) / total)
  account.balance -= fee
  account.entryPrice = average(account.entryPrice, price)
  account.entryRawPrice = average(account.entryRawPrice, rawPrice)
  if (held === 0) {
    account.entryTime = time
    account.bestPrice = price
  }
  account.side = side
  account.size = side * total
  account.entryFee += fee
  account.margin = Math.min((total * account.entryPrice) / rules.leverage, freeBalance(account))
  setStops(account, rules, rules)
  journal.fill({ kind: 'entry', side: nameOf(side), time, price, rawPrice, quantity, fee, pnl: 0, exitReason: null })
}

function obstacleTo(quantity: number, carried: number, price: number, rules: Rules): SkipReason | null {
  if (carried === 0) return 'no_balance'
  if (Number.isNaN(quantity)) return 'volatility_unknown'
  if (quantity <= 0) return 'below_lot_size'
  return quantity * price < rules.minNotional ? 'below_min_notional' : null
}

/**
 * The price `pct` percent (0–100) above (direction 1) or below (−1) `price`, quote per base: price × (100 ± pct) / 100.
 * At 0 percent, which turns a stop or target off, a price that is never reached.
 */
export function movedBy(price: number, direction: number, pct: Pct): number {
  if (pct > 0) return (price * (100 + direction * pct)) / 100
  return direction > 0 ? NEVER_ABOVE : NEVER_BELOW
}

/**
 * Sets stop and target of the position at so many percent from its entry, 0 for none, and what they trigger. Where a
 * trailing stop stands nearer than the stop, it is the one.
 */
export function setStops(
  account: Account,
  rules: Rules,
  { takeProfitPct, stopLossPct, trailingStopPct }: Pick<Rules, 'takeProfitPct' | 'stopLossPct' | 'trailingStopPct'>,
): void {
  account.takeProfitPrice = movedBy(account.entryPrice, account.side, takeProfitPct)
  account.stopLossPrice = movedBy(account.entryPrice, -account.side, stopLossPct)
  moveStop(account, trailingStopPct)
  setTriggers(account, rules)
}

/** Lets the trailing stop follow a candle that is over: what it reached counts from the next one on. */
export function followPrice(account: Account, rules: Rules, high: number, low: number): void {
  const best = account.bestPrice || account.entryPrice
  account.bestPrice = account.side > 0 ? Math.max(best, high) : Math.min(best, low)
  moveStop(account, rules.trailingStopPct)
  setTriggers(account, rules)
}

/** Brings the stop to where the trailing one stands, if that is nearer. */
function moveStop(account: Account, trailingStopPct: Pct): void {
  const trailed = movedBy(account.bestPrice || account.entryPrice, -account.side, trailingStopPct)
  const nearer = account.side > 0 ? Math.max : Math.min
  account.stopLossPrice = nearer(account.stopLossPrice, trailed)
}

/** Why a position is closed that has reached its stop. */
export const stopReason = (account: Account, rules: Rules): TradeExit =>
  account.stopLossPrice === movedBy(account.entryPrice, -account.side, rules.stopLossPct)
    ? 'stop_loss'
    : 'trailing_stop'

/** Recomputes where the position is liquidated, and between which prices nothing can happen to it. */
export function setTriggers(account: Account, rules: Rules): void {
  const side = account.side as Side
  const margin = account.margin / Math.abs(account.size)
  account.liquidationPrice = rules.liquidation.price(account.entryPrice, side, margin)
  const { liquidationPrice: liquidated, stopLossPrice: stop, takeProfitPrice: target } = account
  account.lowerTrigger = side > 0 ? Math.max(stop, liquidated) : target
  account.upperTrigger = side > 0 ? target : Math.min(stop, liquidated)
}

/**
 * Closes the position, or `quantity` of it, by an order triggered at `rawPrice`. No venue fills an isolated position
 * beyond the price at which its margin is gone, and a fee takes no more than what is left.
 */
export function closePosition(
  trader: Trader,
  rawPrice: number,
  reason: TradeExit,
  time: number,
  quantity: number = Math.abs(trader.account.size),
): void {
  const { account, rules } = trader
  const side = account.side as Side
  const bankrupt = account.entryPrice - (side * account.margin) / Math.abs(account.size)
  const slipped = rules.fills.exit(rawPrice, side)
  const price = side > 0 ? Math.max(slipped, bankrupt) : Math.min(slipped, bankrupt)
  const left = account.balance + account.size * (price - account.entryPrice)
  const fee = Math.min(rules.fees.fee(quantity * price), Math.max(0, left))
  settle(trader, { quantity, price, rawPrice, fee, exitReason: reason, time })
}

/** The venue takes the position at its liquidation price and keeps what is left of the margin, booked as a fee. */
export function liquidatePosition(trader: Trader, time: number): void {
  const { account } = trader
  const price = account.liquidationPrice
  const kept = account.margin + account.size * (price - account.entryPrice)
  const quantity = Math.abs(account.size)
  settle(trader, { quantity, price, rawPrice: price, fee: kept, exitReason: 'liquidation', time })
}

interface Exit {
  /** All of the position or a part of it, base. */
  readonly quantity: number
  readonly price: number
  /** Before slippage. */
  readonly rawPrice: number
  readonly fee: number
  readonly exitReason: TradeExit
  readonly time: number
}

function settle({ account, journal }: Trader, exit: Exit): void {
  const { quantity, price, rawPrice, fee, exitReason, time } = exit
  const { entryPrice, entryRawPrice } = account
  const held = Math.abs(account.size)
  const part = quantity / held
  const size = account.side * quantity
  const side = nameOf(account.side)
  const entryFee = account.entryFee * part
  const funding = account.positionFunding * part
  const pricePnL = size * (price - entryPrice)
  const fees = entryFee + fee
  const grossPnL = size * (rawPrice - entryRawPrice)
  // A fee that takes all that is left may take a rounding more.
  account.balance = Math.max(0, account.balance + (pricePnL - fee))
  shrink(account, { quantity, entryFee, funding })
  journal.fill({ kind: 'exit', side, time, price, rawPrice, quantity, fee, pnl: pricePnL, exitReason })
  journal.trade({
    side,
    entryTime: account.entryTime,
    exitTime: time,
    entryPrice,
    exitPrice: price,
    quantity,
    grossPnL,
    slippageCost: grossPnL - pricePnL,
    fees,
    funding,
    netPnL: pricePnL - fees + funding,
    exitReason,
  })
}

/** Takes what was closed off the position; `entryFee` and `funding` are its share of them (quote). */
function shrink(account: Account, closed: { quantity: number; entryFee: number; funding: number }): void {
  const held = Math.abs(account.size)
  if (closed.quantity < held) {
    account.size -= account.side * closed.quantity
    account.margin -= account.margin * (closed.quantity / held)
    account.entryFee -= closed.entryFee
    account.positionFunding -= closed.funding
    return
  }
  account.side = 0
  account.size = 0
  account.margin = 0
  account.positionFunding = 0
  account.entryFee = 0
  account.lowerTrigger = NEVER_BELOW
  account.upperTrigger = NEVER_ABOVE
}

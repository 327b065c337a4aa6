import { type Account, annualVolatility } from './account.ts'
import type { Journal, SkipReason, TradeExit } from './journal.ts'
import type { Side } from './models/fills.ts'
import { NEVER_ABOVE, NEVER_BELOW } from './models/liquidation.ts'
import { carriedQuantity, floorToLot, wantedQuantity } from './models/sizing.ts'
import type { Rules } from './rules.ts'

const nameOf = (side: number): 'long' | 'short' => (side > 0 ? 'long' : 'short')

/** Opens a position at `rawPrice`, as large as the sizing wants and the balance carries; else records why not. */
export function openPosition(
  account: Account,
  rules: Rules,
  side: Side,
  rawPrice: number,
  time: number,
  journal: Journal,
): void {
  const price = rules.fills.entry(rawPrice, side)
  const carried = carriedQuantity(account.balance, price, rules.leverage, rules.fees.largestRatio)
  const wanted = wantedQuantity(rules.sizing, {
    equity: account.balance,
    leverage: rules.leverage,
    rawPrice,
    fillPrice: price,
    feeRatio: rules.fees.largestRatio,
    annualVolatility: annualVolatility(account, rules.candlesPerYear),
  })
  const quantity = floorToLot(Math.min(wanted, carried), rules.lotSize)
  const obstacle = obstacleTo(quantity, carried, price, rules)
  if (obstacle !== null) {
    journal.skip(obstacle, time)
    return
  }
  if (wanted > carried) journal.reduced(wanted, quantity, time)

  const fee = rules.fees.fee(quantity * price)
  account.balance -= fee
  account.side = side
  account.size = side * quantity
  account.entryPrice = price
  account.entryRawPrice = rawPrice
  account.entryTime = time
  account.entryFee = fee
  account.positionFunding = 0
  account.margin = Math.min((quantity * price) / rules.leverage, account.balance)
  account.takeProfitPrice = movedBy(price, side, rules.takeProfitPct)
  account.stopLossPrice = movedBy(price, -side, rules.stopLossPct)
  setTriggers(account, rules)
  journal.fill({ kind: 'entry', side: nameOf(side), time, price, rawPrice, quantity, fee, pnl: 0, exitReason: null })
}

function obstacleTo(quantity: number, carried: number, price: number, rules: Rules): SkipReason | null {
  if (carried === 0) return 'no_balance'
  if (Number.isNaN(quantity)) return 'volatility_unknown'
  if (quantity <= 0) return 'below_lot_size'
  return quantity * price < rules.minNotional ? 'below_min_notional' : null
}

/** The price `pct` percent above (direction 1) or below (−1) another; where that is 0, a price that is never reached. */
function movedBy(price: number, direction: number, pct: number): number {
  if (pct > 0) return (price * (100 + direction * pct)) / 100
  return direction > 0 ? NEVER_ABOVE : NEVER_BELOW
}

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
 * Closes the position by an order triggered at `rawPrice`. Nobody fills an isolated position beyond the price at
 * which its margin is gone, and a fee takes no more than what is left.
 */
export function closePosition(
  account: Account,
  rules: Rules,
  rawPrice: number,
  reason: TradeExit,
  time: number,
  journal: Journal,
): void {
  const side = account.side as Side
  const quantity = Math.abs(account.size)
  const bankrupt = account.entryPrice - (side * account.margin) / quantity
  const slipped = rules.fills.exit(rawPrice, side)
  const price = side > 0 ? Math.max(slipped, bankrupt) : Math.min(slipped, bankrupt)
  const left = account.balance + account.size * (price - account.entryPrice)
  const fee = Math.min(rules.fees.fee(quantity * price), Math.max(0, left))
  settle(account, { price, rawPrice, fee, exitReason: reason, time }, journal)
}

/** The venue takes the position at its liquidation price and keeps what is left of the margin, booked as a fee. */
export function liquidatePosition(account: Account, time: number, journal: Journal): void {
  const price = account.liquidationPrice
  const kept = account.margin + account.size * (price - account.entryPrice)
  settle(account, { price, rawPrice: price, fee: kept, exitReason: 'liquidation', time }, journal)
}

interface Exit {
  readonly price: number
  /** Before slippage. */
  readonly rawPrice: number
  readonly fee: number
  readonly exitReason: TradeExit
  readonly time: number
}

function settle(account: Account, { price, rawPrice, fee, exitReason, time }: Exit, journal: Journal): void {
  const { size, entryPrice, entryRawPrice, positionFunding } = account
  const quantity = Math.abs(size)
  const side = nameOf(account.side)
  const pricePnL = size * (price - entryPrice)
  const fees = account.entryFee + fee
  const grossPnL = size * (rawPrice - entryRawPrice)
  // A fee that takes all that is left may take a rounding more.
  account.balance = Math.max(0, account.balance + (pricePnL - fee))
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
    funding: positionFunding,
    netPnL: pricePnL - fees + positionFunding,
    exitReason,
  })
  account.side = 0
  account.size = 0
  account.margin = 0
  account.positionFunding = 0
  account.entryFee = 0
  account.lowerTrigger = NEVER_BELOW
  account.upperTrigger = NEVER_ABOVE
}

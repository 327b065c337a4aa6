import { type Account, equityAt, freeBalance } from './account.ts'
import type { TradeExit } from './journal.ts'
import { carriedQuantity, floorToLot } from './models/sizing.ts'
import { closePosition, enter } from './position.ts'
import type { Trader } from './rules.ts'

/** Share of the equity that the position is worth at a price. */
export function heldShare(account: Account, price: number): number {
  const equity = equityAt(account, price)
  return equity > 0 ? (account.size * price) / equity : 0
}

/** What brings the position to `target`, base, below 0 a sale; null where the target lies within the band. */
export function wantedTo(account: Account, band: number, target: number, price: number): number | null {
  const share = heldShare(account, price)
  // Worth a trade lies a band away from what is held, or where all is to be sold, or nothing is held.
  const isWorth = Math.abs(target - share) >= band || target === 0 || share === 0
  if (target === share || !isWorth) return null
  return (target * equityAt(account, price)) / price - account.size
}

/**
 * Buys or sells at `rawPrice` what brings the position to `target`, a share of the equity (0–1), long and without
 * leverage. Keeps it where the target lies within the band; records why where an order could not be made.
 */
export function moveToTarget(
  trader: Trader,
  band: number,
  target: number,
  rawPrice: number,
  time: number,
  reason?: TradeExit,
): void {
  const quantity = wantedTo(trader.account, band, target, rawPrice)
  if (quantity !== null) trade(trader, quantity, rawPrice, time, reason)
}

/** Buys a quantity (base), or sells one that is below 0: as much as is free and held. Records why where it cannot. */
export function trade(
  trader: Trader,
  quantity: number,
  rawPrice: number,
  time: number,
  reason: TradeExit = 'rebalance',
): void {
  const { account, rules, journal } = trader
  if (quantity > 0) {
    const price = rules.fills.entry(rawPrice, 1)
    const cash = freeBalance(account) - account.size * account.entryPrice
    const carried = carriedQuantity(cash, price, 1, rules.fees.largestRatio)
    enter(trader, 1, { rawPrice, price, wanted: quantity, carried, time })
    return
  }
  const sold = floorToLot(-quantity, rules.lotSize)
  if (-quantity >= account.size) closePosition(trader, rawPrice, reason, time)
  else if (sold <= 0) journal.skip('below_lot_size', time)
  else if (sold * rules.fills.exit(rawPrice, 1) < rules.minNotional) journal.skip('below_min_notional', time)
  else closePosition(trader, rawPrice, reason, time, sold)
}

import type { PostedOrders } from '@shapecast/contracts/costs'
import { type Account, freeBalance } from './account.ts'
import type { Candles } from './candles.ts'
import { limitAt, type PostOnlyRules, RESTS_MS, type RestingOrder, ROUNDING } from './models/resting-order.ts'
import { carriedQuantity } from './models/sizing.ts'
import { trade, wantedTo } from './rebalance.ts'
import type { Rules, Trader } from './rules.ts'

/**
 * Rests what brings the position to `target`, a share of the equity, at the close of its decision, `account.lastClose`. A
 * purchase is no more than the money that is free now: what still rests to be sold does not pay for it.
 */
export function rest(
  { account, rules, journal }: Trader,
  { postOnly, band }: { postOnly: PostOnlyRules; band: number },
  target: number,
  at: { readonly open: number; readonly time: number },
): void {
  const wanted = wantedTo(account, band, target, account.lastClose)
  if (wanted === null) return
  const side = wanted > 0 ? 1 : -1
  const limit = limitAt(account.lastClose, side, postOnly.tickSize)
  const cash = freeBalance(account) - account.size * account.entryPrice
  const carried = side === 1 ? carriedQuantity(cash, limit, 1, rules.fees.largestRatio) : account.size
  if (carried === 0) journal.skip('no_balance', at.time)
  else
    account.resting = {
      side,
      quantity: Math.min(Math.abs(wanted), carried),
      limit,
      until: at.time + RESTS_MS,
      open: at.open,
    }
}

/**
 * Fills what rests at its limit, never better, if candle `i` lies within its time and traded *through* the limit by a tick: at
 * a touch the orders that stood before it are served.
 */
export function fillResting(trader: Trader, candles: Candles, i: number): void {
  const { rules } = trader
  const { resting } = trader.account
  if (resting === undefined || rules.postOnly === null) return
  const time = candles.ts[i]!
  if (time + rules.timeframeMs > resting.until) return
  const { side, limit } = resting
  const { tickSize, maker } = rules.postOnly
  const through = side === 1 ? limit - candles.low[i]! : candles.high[i]! - limit
  if (through > 0 && through >= tickSize - limit * ROUNDING)
    execute(trader, { ...rules, ...maker }, resting, limit, time)
}

/** At an open takes what has rested for its time. */
export function takeResting(trader: Trader, open: number, time: number): void {
  const { resting } = trader.account
  if (resting !== undefined && time >= resting.until) execute(trader, trader.rules, resting, open, time)
}

function execute(trader: Trader, by: Rules, resting: RestingOrder, price: number, time: number): void {
  const { account, rules } = trader
  const { side, quantity } = resting
  account.resting = undefined
  // A stop has sold it.
  if (side === -1 && account.size === 0) return
  const [cash, size] = [cashOf(account), account.size]
  trade({ ...trader, rules: by }, side * quantity, price, time)
  const moved = Math.abs(account.size - size)
  if (moved === 0) return
  const gained = gainOf(rules, resting, moved, cashOf(account) - cash)
  notePosted(account, { orders: 1, filled: by === rules ? 0 : 1, gained })
}

/** What a fill of `moved` base, by which money changed by `cash`, gained beside taking as much at once; quote. */
export function gainOf(rules: Rules, { side, open }: RestingOrder, moved: number, cash: number): number {
  const atOpen = side === 1 ? rules.fills.entry(open, 1) : rules.fills.exit(open, 1)
  return cash + side * moved * atOpen + rules.fees.fee(moved * atOpen)
}

/** Counts what became of orders that rested, and what that gained, or lost where it is below 0. */
export function notePosted(account: Account, more: { orders: number; filled: number; gained: number }): void {
  const before = account.posted ?? { orders: 0, filled: 0, saved: 0, lost: 0 }
  account.posted = {
    orders: before.orders + more.orders,
    filled: before.filled + more.filled,
    saved: before.saved + Math.max(0, more.gained),
    lost: before.lost + Math.max(0, -more.gained),
  }
}

/** Money that is not in the position. */
const cashOf = ({ balance, size, entryPrice }: Account): number => balance - size * entryPrice

/** The sum of several accounts'; nothing where none had such an order. */
export function postedOf(accounts: readonly Account[]): { posted?: PostedOrders } {
  const all = accounts.flatMap(({ posted }) => posted ?? [])
  if (all.length === 0) return {}
  const sum = (of: (one: PostedOrders) => number): number => all.reduce((total, one) => total + of(one), 0)
  return {
    posted: {
      orders: sum(({ orders }) => orders),
      filled: sum(({ filled }) => filled),
      saved: sum(({ saved }) => saved),
      lost: sum(({ lost }) => lost),
    },
  }
}

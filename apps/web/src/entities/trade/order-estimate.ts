import { BACKTEST_DEFAULTS } from '@shapecast/contracts/backtest-request'
import type { BotPosition } from '@shapecast/contracts/bots'
import { type BotCosts, COST_DEFAULTS } from '@shapecast/contracts/costs'

/** What a size is given in: coins, money, or percent of what is free. */
export type SizeUnit = 'base' | 'quote' | 'pct'

export interface OrderSize {
  readonly side: 'buy' | 'sell'
  readonly type: 'market' | 'limit'
  readonly unit: SizeUnit
  /** In its unit; null or NaN is none. */
  readonly size: number | null
}

export interface TradedAt {
  /** The last price, or that of the limit order, quote per base. */
  readonly price: number
  readonly lotSize: number
  /** Quote that is free, and base that can be sold. */
  readonly free: number
  readonly held: number
  /** What a virtual order costs is known; of a real one it is the exchange's. */
  readonly isVirtual: boolean
}

export interface OrderEstimate {
  /** Base, in whole lots; and the most that what is free is enough for. */
  readonly amount: number
  readonly mostAmount: number
  /** Quote: worth at the price, what slippage and fee come to, and what is paid or brought in all. */
  readonly worth: number
  readonly slippage: number
  readonly fee: number
  readonly total: number
}

const FEE = BACKTEST_DEFAULTS.feeRate
const SLIPPAGE = BACKTEST_DEFAULTS.slippageBps / 10_000

const inLots = (amount: number, lot: number): number =>
  lot > 0 ? Number((Math.floor(amount / lot + 1e-9) * lot).toFixed(8)) : amount

const costsOf = ({ type }: Pick<OrderSize, 'type'>, { isVirtual }: Pick<TradedAt, 'isVirtual'>) => ({
  fee: isVirtual ? FEE : 0,
  slippage: isVirtual && type === 'market' ? SLIPPAGE : 0,
})

/** What an order comes to, as the service fills it; null without a size. */
export function orderEstimate(order: OrderSize, at: TradedAt): OrderEstimate | null {
  const { side, unit, size } = order
  const { price, lotSize, free, held } = at
  if (size === null || !(size > 0) || !(price > 0)) return null
  const costs = costsOf(order, at)
  const filled = price * (1 + (side === 'buy' ? costs.slippage : -costs.slippage))
  /** Base for so much money, with its costs. */
  const bought = (quote: number) => quote / (filled * (1 + costs.fee))
  const forQuote = (quote: number) => (side === 'buy' ? bought(quote) : quote / price)
  const most = side === 'buy' ? bought(free) : held
  const wanted = { base: () => size, quote: () => forQuote(size), pct: () => (most * size) / 100 }[unit]()
  const amount = inLots(wanted, lotSize)
  const fee = amount * filled * costs.fee
  return {
    amount,
    mostAmount: inLots(most, lotSize),
    worth: amount * price,
    slippage: amount * Math.abs(filled - price),
    fee,
    total: amount * filled + (side === 'buy' ? fee : -fee),
  }
}

/** What a virtual purchase makes that is sold at `exit`, all costs taken off, quote; a stop has slippage, a target none. */
export function resultAt({ amount, total }: OrderEstimate, exit: number, by: 'stop' | 'target'): number {
  const filled = exit * (by === 'stop' ? 1 - SLIPPAGE : 1)
  return amount * filled * (1 - FEE) - total
}

/** The part of the body that says how much. */
export function sizeBody(order: OrderSize, at: TradedAt): { amount?: number; quoteAmount?: number } {
  const { side, unit, size } = order
  if (size === null || !(size > 0)) return {}
  if (unit === 'quote') return { quoteAmount: size }
  if (unit === 'base') return { amount: size }
  if (side === 'buy') return { quoteAmount: (at.free * size) / 100 }
  return { amount: inLots((at.held * size) / 100, at.lotSize) }
}

/** What closing positions at their marks costs about, quote: slippage against each, and the fee of what is left or paid. */
export function closingCost(
  positions: readonly Pick<BotPosition, 'side' | 'worth'>[],
  { feeRate, slippageBps }: Pick<BotCosts, 'feeRate' | 'slippageBps'> = COST_DEFAULTS,
): number {
  const slippage = slippageBps / 10_000
  return positions.reduce(
    (sum, { side, worth }) => sum + worth * (slippage + feeRate * (side === 'long' ? 1 - slippage : 1 + slippage)),
    0,
  )
}

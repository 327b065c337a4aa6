import type { RealMarket } from '@shapecast/contracts/exchanges'
import { least, numberOf, type Units, unitsOf } from '../ledger/money.ts'
import type { Holding } from '../ledger/settle.ts'
import type { OrderRow } from '../ledger/tables.ts'

export const otherSide = (side: 'buy' | 'sell'): 'buy' | 'sell' => (side === 'buy' ? 'sell' : 'buy')

/** Whether an order of a bot makes what it holds smaller: on spot every sale does. */
export const closes = ({ side, reduceOnly }: Pick<OrderRow, 'side' | 'reduceOnly'>, market: RealMarket): boolean =>
  market === 'spot' ? side === 'sell' : reduceOnly

/** A trade at the exchange. */
export interface BotTraded {
  readonly side: 'buy' | 'sell'
  /** Base. */
  readonly quantity: Units
  /** Quote per base. */
  readonly price: number
  /** Coins of the market that it took as a fee. */
  readonly coins: Units
}

/** What is held after a trade, and what it earned before fees (quote); null of one that closed nothing. */
export interface Held {
  readonly holding: Holding
  readonly pnl: Units | null
}

const size = (units: Units): Units => (units < 0n ? -units : units)

/** Coins: a fee in them is a loss of them, and nothing is sold that is not held. */
function onSpot(held: Holding, { side, quantity, price, coins }: BotTraded): Held {
  if (side === 'buy') {
    const brought = quantity - coins
    const cost = held.cost + unitsOf(numberOf(brought) * price)
    return { holding: { quantity: held.quantity + brought, cost }, pnl: null }
  }
  // More than it holds is none of its own: reconciliation finds it.
  const own = least(quantity, held.quantity)
  const cost = own === held.quantity ? held.cost : (held.cost * own) / held.quantity
  const holding = { quantity: held.quantity - own, cost: held.cost - cost }
  return { holding, pnl: unitsOf(numberOf(own) * price) - cost }
}

/** A position: what is beyond its size turns it round. */
function onFutures(held: Holding, { side, quantity, price }: BotTraded): Held {
  const signed = side === 'buy' ? quantity : -quantity
  const reduces = held.quantity !== 0n && held.quantity > 0n !== signed > 0n
  const closed = reduces ? least(quantity, size(held.quantity)) : 0n
  const cost = closed === 0n ? 0n : (held.cost * closed) / size(held.quantity)
  const worth = unitsOf(numberOf(closed) * price)
  const entered = unitsOf(numberOf(quantity - closed) * price)
  return {
    holding: { quantity: held.quantity + signed, cost: held.cost - cost + entered },
    pnl: closed === 0n ? null : held.quantity > 0n ? worth - cost : cost - worth,
  }
}

/** What a bot holds after a trade of its, at the cost of what is held; of a short the cost is what it was sold for. */
export const afterTrade = (market: RealMarket, held: Holding, trade: BotTraded): Held =>
  market === 'spot' ? onSpot(held, trade) : onFutures(held, trade)

/** Quote per base, weighted by quantity; 0 where there is no trade. */
export const averagePrice = (fills: readonly { price: number; quantity: Units }[]): number => {
  const quantity = fills.reduce((sum, fill) => sum + numberOf(fill.quantity), 0)
  return quantity === 0 ? 0 : fills.reduce((sum, fill) => sum + fill.price * numberOf(fill.quantity), 0) / quantity
}

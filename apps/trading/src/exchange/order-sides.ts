import type { RealMarket } from '@shapecast/contracts/exchanges'
import { numberOf, type Units } from '../ledger/money.ts'
import type { OrderRow } from '../ledger/tables.ts'

export const otherSide = (side: 'buy' | 'sell'): 'buy' | 'sell' => (side === 'buy' ? 'sell' : 'buy')

/** Whether an order of a bot makes what it holds smaller: on spot every sale does. */
export const closes = ({ side, reduceOnly }: Pick<OrderRow, 'side' | 'reduceOnly'>, market: RealMarket): boolean =>
  market === 'spot' ? side === 'sell' : reduceOnly

/** Quote per base, weighted by quantity; 0 if there is no trade. */
export const averagePrice = (fills: readonly { price: number; quantity: Units }[]): number => {
  const quantity = fills.reduce((sum, fill) => sum + numberOf(fill.quantity), 0)
  return quantity === 0 ? 0 : fills.reduce((sum, fill) => sum + fill.price * numberOf(fill.quantity), 0) / quantity
}

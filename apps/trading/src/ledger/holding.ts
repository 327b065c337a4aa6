import type { RealMarket } from '@shapecast/contracts/exchanges'
import { least, numberOf, type Units, unitsOf } from './money.ts'

/** What an account holds of one symbol. */
export interface Holding {
  /** Base; negative of a short. */
  readonly quantity: Units
  /** Quote that it was worth when it was opened, without fees; of a short what it was sold for. */
  readonly cost: Units
}
export const NOTHING: Holding = { quantity: 0n, cost: 0n }

export interface HeldFill {
  readonly side: 'buy' | 'sell'
  /** Base. */
  readonly quantity: Units
  /** Quote per base, slippage included. */
  readonly price: number
  /** Coins of the market that it took as a fee. */
  readonly coins?: Units
}

/** What is held after a fill, and what it earned before fees (quote); null of one that closed nothing. */
export interface Applied {
  readonly holding: Holding
  readonly pnl: Units | null
}

const sizeOf = ({ quantity }: Holding): Units => (quantity < 0n ? -quantity : quantity)

/**
 * The one rule from a fill to what is held. The cost of a part of a holding is its share, rounded down, so that nothing is
 * left of the cost where nothing is held. On futures a fill beyond the size of a position turns it round. On spot a fee
 * in coins is a loss of them, and a sale beyond what is held is not of this holding.
 */
export function applyFill(market: RealMarket, held: Holding, { side, quantity, price, coins = 0n }: HeldFill): Applied {
  const buys = side === 'buy'
  const reduces = held.quantity !== 0n && held.quantity > 0n !== buys
  const closed = reduces ? least(quantity, sizeOf(held)) : 0n
  const opened = market === 'futures' ? quantity - closed : buys ? quantity - coins : 0n
  const cost = closed === 0n ? 0n : (held.cost * closed) / sizeOf(held)
  const worth = unitsOf(numberOf(closed) * price)
  const moved = closed + opened
  return {
    holding: {
      quantity: held.quantity + (buys ? moved : -moved),
      cost: held.cost - cost + unitsOf(numberOf(opened) * price),
    },
    pnl: closed === 0n ? null : buys ? cost - worth : worth - cost,
  }
}

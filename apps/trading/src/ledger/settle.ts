import type { FeeModel } from '@shapecast/engine/models/fees'
import { numberOf, type Units, unitsOf } from './money.ts'

/** What an account has of one coin. */
export interface Holding {
  /** Base. */
  readonly quantity: Units
  /** Quote paid for it, without fees. */
  readonly cost: Units
}
export const NOTHING: Holding = { quantity: 0n, cost: 0n }

export interface Execution {
  readonly side: 'buy' | 'sell'
  readonly quantity: Units
  /** Quote per base, slippage included. */
  readonly price: number
}

/** What an execution comes to, in quote, and what is held after it. */
export interface Settlement {
  readonly notional: Units
  readonly fee: Units
  /** What it changes in the balance, fee left out: −notional for a purchase, +notional for a sale. */
  readonly cash: Units
  /** Of a sale: notional less what its coins had cost; null for a purchase. */
  readonly pnl: Units | null
  readonly holding: Holding
}

/** Notional and fee of an execution, each rounded to a unit. */
export function worthOf({ quantity, price }: Omit<Execution, 'side'>, fees: FeeModel): { notional: Units; fee: Units } {
  const notional = numberOf(quantity) * price
  return { notional: unitsOf(notional), fee: unitsOf(fees.fee(notional)) }
}

/**
 * Books an execution: at any time balance = start + Σ pnl − Σ fees − cost of what is held, to the unit. The cost of
 * a part of a holding is its share, rounded down. Throws a RangeError for a sale of more than is held.
 */
export function settle(held: Holding, execution: Execution, fees: FeeModel): Settlement {
  const { notional, fee } = worthOf(execution, fees)
  const { side, quantity } = execution
  if (side === 'buy') {
    const holding = { quantity: held.quantity + quantity, cost: held.cost + notional }
    return { notional, fee, cash: -notional, pnl: null, holding }
  }
  if (quantity > held.quantity) throw new RangeError(`a sale of ${quantity} where ${held.quantity} are held`)
  const cost = quantity === held.quantity ? held.cost : (held.cost * quantity) / held.quantity
  const holding = { quantity: held.quantity - quantity, cost: held.cost - cost }
  return { notional, fee, cash: notional, pnl: notional - cost, holding }
}

import { ACCOUNT_CURRENCY } from '@shapecast/contracts/accounts'
import { AppError } from '@shapecast/contracts/errors'
import type { Market } from '@shapecast/contracts/market'
import { floorToLot } from '@shapecast/engine/models/sizing'
import type { Quote } from './market-prices.ts'
import { shown, type Units, unitsOf } from './money.ts'
import type { OrderRow } from './tables.ts'

/** What every order has to meet, of any caller, to any broker. */

export const refused = (text: string, field: string) => new AppError('unprocessable', text, { field })

/** Whether `value` is a multiple of `step`, rounding of doubles aside. */
const isMultiple = (value: number, step: number): boolean =>
  Math.abs(value / step - Math.round(value / step)) <= 1e-6 + Math.abs(value / step) * 1e-12

/** Throws `unprocessable` for a price that the market does not have: it would be rounded to another one. */
export function requireOnGrid({ market }: Quote, price: number | null, field = 'price'): void {
  if (price === null || !(market.tickSize > 0) || isMultiple(price, market.tickSize)) return
  throw refused(`Prices of ${market.id} are multiples of ${shown(market.tickSize)}.`, field)
}

/** A price rounded down to the market's price step. */
export const onGrid = ({ tickSize: tick }: Pick<Market, 'tickSize'>, price: number): number =>
  tick > 0 ? Number((Math.floor(price / tick + 1e-9) * tick).toFixed(8)) : price

/** The quantity in whole lots. Throws `unprocessable` where it is less than one. */
export function lotsOf({ market: { lotSize, base, id } }: Quote, quantity: number): Units {
  const lots = unitsOf(floorToLot(quantity, lotSize))
  if (lots <= 0n) throw refused(`The smallest amount of ${id} is ${shown(lotSize || 1e-8)} ${base}.`, 'amount')
  return lots
}

/** Throws `unprocessable` where an order is worth less than the market takes. `notional` in quote. */
export function requireWorth({ market: { minNotional, id } }: Quote, notional: number): void {
  if (notional >= minNotional) return
  throw refused(
    `The smallest order on ${id} is worth ${shown(minNotional)} ${ACCOUNT_CURRENCY}; this is worth ${shown(notional)}.`,
    'amount',
  )
}

/** Throws `unprocessable` where `unsettled` orders are as many as an account may have. */
export function requireFewer(unsettled: number, most: number): void {
  if (unsettled < most) return
  throw new AppError('unprocessable', `An account has at most ${most} open orders. Cancel some first.`)
}

/** Throws `conflict` for an order that has ended. */
export function requireUnsettled({ status }: Pick<OrderRow, 'status'>): void {
  if (status === 'open' || status === 'sending') return
  throw new AppError('conflict', `This order is ${status} already: there is nothing left to cancel.`)
}

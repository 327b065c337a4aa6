import { type Figure, formatFixed, formatSigned, formatUpTo, UNKNOWN, withUnit } from './number.ts'

const LARGEST_DIGITS = 12

/** Decimals that a step such as 0.1, 0.05 or 1e-8 needs; a whole step needs none. */
export function digitsOfStep(step: number): number {
  if (!(step > 0)) return 2
  for (let digits = 0; digits < LARGEST_DIGITS; digits++) {
    const scaled = step * 10 ** digits
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits
  }
  return LARGEST_DIGITS
}

/** A price step for a market whose own is not known: six significant digits, at least a cent for prices above 1. */
export function guessTickSize(price: number): number {
  if (!(price > 0)) return 0.01
  const whole = Math.floor(Math.log10(price)) + 1
  return 10 ** -Math.min(LARGEST_DIGITS, Math.max(0, 6 - whole))
}

/** A price by its market's tick size (guessed from the price where it is not known): `67,412.3`. */
export function formatPrice(price: Figure, tickSize?: number): string {
  if (typeof price !== 'number' || !Number.isFinite(price)) return UNKNOWN
  return formatFixed(price, digitsOfStep(tickSize ?? guessTickSize(Math.abs(price))))
}

/** An amount of money: 2 decimals, without its unit: `1,095.27`. */
export const formatMoney = (amount: Figure): string => formatFixed(amount, 2)

/** `1,095.27 USDT` */
export const formatMoneyUnit = (amount: Figure, unit: string): string => withUnit(formatMoney(amount), ` ${unit}`)

/** A gain or loss of money: `+1.61`, `−10.26`, `0.00`. */
export const formatPnl = (amount: Figure): string => formatSigned(amount, 2)

/** `+1.61 USDT` */
export const formatPnlUnit = (amount: Figure, unit: string): string => withUnit(formatPnl(amount), ` ${unit}`)

/** A quantity by its market's lot step; as many decimals as it has (at most 8) where the step is not known. */
export function formatQuantity(quantity: Figure, lotSize?: number): string {
  return lotSize === undefined ? formatUpTo(quantity, 8) : formatFixed(quantity, digitsOfStep(lotSize))
}

/** `0.015 BTC` */
export const formatQuantityAsset = (quantity: Figure, asset: string, lotSize?: number): string =>
  withUnit(formatQuantity(quantity, lotSize), ` ${asset}`)

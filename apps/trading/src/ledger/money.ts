/**
 * Money and quantities are whole hundred-millionths of a unit (10⁻⁸ USDT, 10⁻⁸ BTC), as exchanges book them: sums are
 * exact, whatever their order. Prices stay doubles; what they come to is rounded once, when it is booked.
 */
export type Units = bigint

export const DECIMALS = 8
const ONE = 10n ** BigInt(DECIMALS)

/** A double as it is written, with no more places than units have. */
const PLAIN = /^-?\d+(?:\.\d{1,8})?$/

/**
 * The nearest number of units; of a decimal with at most eight places and fifteen digits that decimal itself, though the
 * double next to it is none: 98765432.1 is stored as 98765432.099999994. Throws a RangeError for what is not finite or
 * from 10²¹ on.
 */
export function unitsOf(value: number): Units {
  const written = String(value)
  return unitsOfDecimal(PLAIN.test(written) ? written : value.toFixed(DECIMALS))
}

/** As `unitsOf`, for a decimal with at most eight places, as PostgreSQL writes a numeric(38, 8). */
export function unitsOfDecimal(text: string): Units {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(text) ?? []
  if (whole === undefined) throw new RangeError(`"${text}" is no amount`)
  const units = BigInt(whole) * ONE + BigInt(fraction.padEnd(DECIMALS, '0'))
  return sign === '-' ? -units : units
}

/** Written out with all eight places. */
export function decimalOf(units: Units): string {
  const size = units < 0n ? -units : units
  return `${units < 0n ? '-' : ''}${size / ONE}.${String(size % ONE).padStart(DECIMALS, '0')}`
}

/** The nearest double. */
export const numberOf = (units: Units): number => Number(decimalOf(units))

/** For sentences: at most eight digits. */
export const shown = (value: number): string => String(Number(value.toPrecision(8)))

export const least = (a: Units, b: Units): Units => (a < b ? a : b)

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))
const EXACT_MANTISSA = 2 ** 53

/**
 * The decimal number written in `bytes[start, end)`, correctly rounded; NaN where it is no plain number.
 * Digits with an optional fraction and a sign; an exponent only where it is negative (`1.2e-05` loses nothing,
 * `1.63875E+12` was rounded by a spreadsheet).
 *
 * Up to 2^53 in digits and 22 decimals both operands are exact, so one division rounds correctly
 * (W. D. Clinger, "How to read floating point numbers accurately", 1990); everything else goes through `Number`.
 */
export function parseDecimal(bytes: Uint8Array, start: number, end: number): number {
  let i = start
  const negative = bytes[i] === 45
  if (negative) i++
  let mantissa = 0
  let digits = 0
  let decimals = -1
  for (; i < end; i++) {
    const digit = bytes[i]! - 48
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit
      digits++
      if (decimals >= 0) decimals++
    } else if (digit === -2 && decimals < 0) decimals = 0
    else return parseSlowly(bytes, start, end)
  }
  if (digits === 0) return Number.NaN
  if (mantissa >= EXACT_MANTISSA || decimals > 22) return parseSlowly(bytes, start, end)
  const value = decimals > 0 ? mantissa / POWERS_OF_TEN[decimals]! : mantissa
  return negative && value !== 0 ? -value : value
}

function parseSlowly(bytes: Uint8Array, start: number, end: number): number {
  const text = textOf(bytes, start, end)
  return /^-?(\d+\.?\d*|\.\d+)(e-\d+)?$/i.test(text) ? Number(text) : Number.NaN
}

/** The bytes as text, control characters shown as dots. */
export const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
    .toString('utf8')
    .replace(/\p{Cc}/gu, '·')

/** Why a text is not a number that an import takes, to be read after the column's name: `volume is NULL`. */
export function whyNotANumber(text: string): string {
  const plain = text.trim().toLowerCase()
  if (plain === '') return 'is empty'
  if (/^(null|none|nil|n\/a|#n\/a|na|-)$/.test(plain)) return 'is NULL'
  if (/^[+-]?nan$/.test(plain)) return 'is NaN'
  if (/^[+-]?inf(inity)?$/.test(plain)) return 'is Infinity'
  if (/^-?\d+[.,]?\d*e\+?\d+$/.test(plain)) return `was rounded by a spreadsheet (${text}); take the original file`
  return `is not a number (${text.slice(0, 40)})`
}

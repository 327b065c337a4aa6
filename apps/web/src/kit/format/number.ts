/** `4 kB`, `1.5 MB`, of bytes; thousands, as file managers count. */
export function formatFileSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** What stands where a figure is not known. Never 0. */
export const UNKNOWN = '—'
export const MINUS = '−'

/** A text with its unit after it; what is not known has none. */
export const withUnit = (text: string, unit: string): string => (text === UNKNOWN ? text : `${text}${unit}`)

/** A figure as it comes from a service: it may be missing or not a number. */
export type Figure = number | null | undefined

/** The shortest decimal that reads as `value`, below 10²¹: its whole part and its decimals. */
function digitsOf(value: number): readonly [whole: string, decimals: string] {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', decimals = ''] = mantissa.split('.')
  const zeros = -Number(exponent)
  return zeros === 0 ? [whole, decimals] : ['0', '0'.repeat(zeros - 1) + whole + decimals]
}

/**
 * As Intl.NumberFormat writes it in English, halves away from zero; to set up its tables takes 10 ms, before the first
 * figure of a page.
 */
function decimalText(value: number, minDigits: number, maxDigits: number): string {
  const [whole, decimals] = digitsOf(value)
  const isUp = (decimals[maxDigits] ?? '0') >= '5'
  const units = BigInt(whole + decimals.slice(0, maxDigits).padEnd(maxDigits, '0')) + (isUp ? 1n : 0n)
  const text = String(units).padStart(maxDigits + 1, '0')
  const point = text.length - maxDigits
  const thousands = text.slice(0, point).replace(/\B(?=(\d{3})+$)/g, ',')
  const shown = text.slice(point).replace(/0+$/, '').padEnd(minDigits, '0')
  return shown === '' ? thousands : `${thousands}.${shown}`
}

const isKnown = (value: Figure): value is number => typeof value === 'number' && Number.isFinite(value)
const isZeroText = (text: string) => !/[1-9]/.test(text)

function plain(value: Figure, minDigits: number, maxDigits: number): string {
  if (!isKnown(value)) return UNKNOWN
  if (Math.abs(value) >= 1e21) return value.toLocaleString('en-US')
  const text = decimalText(Math.abs(value), minDigits, maxDigits)
  return value < 0 && !isZeroText(text) ? `${MINUS}${text}` : text
}

/** `value` with exactly `digits` decimals, thousands separated, a true minus, and no sign on what rounds to zero. */
export const formatFixed = (value: Figure, digits: number): string => plain(value, digits, digits)

/** Like `formatFixed` with at most `digits` decimals: 0.5, 12, 1,234.25. */
export const formatUpTo = (value: Figure, digits: number): string => plain(value, 0, digits)

/** Like `formatFixed` with a plus sign on gains; what rounds to zero has no sign. */
export function formatSigned(value: Figure, digits: number): string {
  const text = formatFixed(value, digits)
  return isKnown(value) && value > 0 && !isZeroText(text) ? `+${text}` : text
}

/** Which way a figure points once it is rounded to `digits`, so that its colour never contradicts its text. */
export function directionOf(value: Figure, digits = 2): 'up' | 'down' | 'flat' {
  if (!isKnown(value) || isZeroText(formatFixed(value, digits))) return 'flat'
  return value > 0 ? 'up' : 'down'
}

/** A whole count, thousands separated. */
export const formatCount = (value: Figure): string => formatFixed(value, 0)

/** `1 candle`, `1,000 candles`. */
export const formatCounted = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** A ratio such as a profit factor: 2 decimals. */
export const formatRatio = (value: Figure): string => formatFixed(value, 2)

/** `10×` */
export const formatLeverage = (value: Figure): string => (isKnown(value) ? `${formatUpTo(value, 2)}×` : UNKNOWN)

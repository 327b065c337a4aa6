/** A format is dear to make: each is made once. */
const writer = (options: Intl.NumberFormatOptions) => {
  const format = new Intl.NumberFormat('en-US', options)
  return (value: number): string => format.format(value).replace('-', '−')
}
const toCents = writer({ minimumFractionDigits: 2, maximumFractionDigits: 2 })
const toSixDigits = writer({ maximumSignificantDigits: 6 })

/** Base: `0.0203`, with thousands and without the rest of a binary fraction. */
export const quantityWords = writer({ maximumFractionDigits: 8 })

/** Quote per base: `47,487.53`; below 1 six digits that say something. */
export const priceWords = (price: number): string => (Math.abs(price) >= 1 ? toCents(price) : toSixDigits(price))

/** `+1,061.00 USDT`, `−6.19 USDT`. */
export const profitWords = (amount: number): string => {
  const cents = Math.round(amount * 100) / 100
  return `${cents > 0 ? '+' : ''}${toCents(cents === 0 ? 0 : cents)} USDT`
}

/** `1,061.00 USDT` */
export const moneyWords = (amount: number): string => `${toCents(amount)} USDT`

/** `+1.24%` of 0.0124. */
export const returnWords = (ratio: number): string => {
  const pct = Math.round(ratio * 10_000) / 100
  return `${pct > 0 ? '+' : ''}${toCents(pct === 0 ? 0 : pct)}%`
}

/** The coin of a symbol that is priced in USDT: `BTC` of BTCUSDT. */
export const baseOf = (symbol: string): string => symbol.replace(/USDT$/, '')

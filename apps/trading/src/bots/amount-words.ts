const written = (value: number, options: Intl.NumberFormatOptions): string =>
  value.toLocaleString('en-US', options).replace('-', '−')

/** Base: `0.0203`, with thousands and without the rest of a binary fraction. */
export const quantityWords = (quantity: number): string => written(quantity, { maximumFractionDigits: 8 })

/** Quote per base: `47,487.53`; below 1 six digits that say something. */
export const priceWords = (price: number): string =>
  Math.abs(price) >= 1
    ? written(price, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    : written(price, { maximumSignificantDigits: 6 })

/** `+1,061.00 USDT`, `−6.19 USDT`. */
export const profitWords = (amount: number): string => {
  const cents = Math.round(amount * 100) / 100
  return `${cents > 0 ? '+' : ''}${written(cents === 0 ? 0 : cents, { minimumFractionDigits: 2, maximumFractionDigits: 2 })} USDT`
}

/** `1,061.00 USDT` */
export const moneyWords = (amount: number): string =>
  `${written(amount, { minimumFractionDigits: 2, maximumFractionDigits: 2 })} USDT`

/** `+1.24%` of 0.0124. */
export const returnWords = (ratio: number): string => {
  const pct = Math.round(ratio * 10_000) / 100
  return `${pct > 0 ? '+' : ''}${written(pct === 0 ? 0 : pct, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}%`
}

/** The coin of a symbol that is priced in USDT: `BTC` of BTCUSDT. */
export const baseOf = (symbol: string): string => symbol.replace(/USDT$/, '')

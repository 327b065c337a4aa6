import type { Market } from '@shapecast/contracts/market'
import type { Candles } from '@shapecast/engine/candles'

const QUOTES = ['USDT', 'USDC', 'FDUSD', 'BUSD', 'TUSD', 'DAI', 'USD', 'EUR', 'GBP', 'TRY', 'BTC', 'ETH', 'BNB']
const MOST_DECIMALS = 8
/** What Binance asks for on most of its spot markets in USDT. */
const USUAL_MIN_NOTIONAL = 5

/** Parts a symbol without a slash by the quote it ends with; the quote is empty where none is known. */
export function partsOf(symbol: string): { base: string; quote: string } {
  const quote = QUOTES.find((q) => symbol.endsWith(q) && symbol.length > q.length) ?? ''
  return { base: symbol.slice(0, symbol.length - quote.length), quote }
}

/** Decimals with which every value can be written, at most 8; 8 without values. */
export function decimalsOf(...columns: Float64Array[]): number {
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals++) {
    const scale = 10 ** decimals
    const fits = (value: number) => Math.abs(Math.round(value * scale) / scale - value) <= Math.abs(value) * 1e-12
    if (columns.every((column) => column.every(fits)) && columns.some((column) => column.length > 0)) return decimals
  }
  return MOST_DECIMALS
}

/**
 * A market as its imported candles show it: the tick and lot are the decimals that prices and volumes are written with,
 * which history does not say otherwise. The smallest order value is the usual one of Binance.
 */
export function inferredMarket(symbol: string, recent: Candles): Market {
  const { base, quote } = partsOf(symbol)
  const step = (decimals: number) => Number((10 ** -decimals).toFixed(decimals))
  return {
    id: symbol,
    symbol: quote === '' ? symbol : `${base}/${quote}`,
    base,
    quote,
    active: true,
    tickSize: step(decimalsOf(recent.open, recent.high, recent.low, recent.close)),
    lotSize: step(decimalsOf(recent.volume)),
    minNotional: USUAL_MIN_NOTIONAL,
  }
}

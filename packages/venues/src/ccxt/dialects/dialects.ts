import { binance, binanceOptions } from './binance.ts'
import { bybit } from './bybit.ts'
import type { ExchangeDialect } from './dialect.ts'

const DIALECTS: Readonly<Record<string, ExchangeDialect>> = {
  binance,
  binanceus: { options: binanceOptions },
  binanceusdm: { options: binanceOptions },
  bybit,
}

/** The dialect of an exchange, by ccxt's name. */
export const dialectOf = (id: string): ExchangeDialect => DIALECTS[id] ?? {}

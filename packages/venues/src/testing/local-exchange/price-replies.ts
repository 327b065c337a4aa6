import { decimal, INTERVAL_MS } from './binance-numbers.ts'
import type { LocalCandle, MarketData } from './market-data.ts'
import { refusals } from './venue-error.ts'

/** One row of /klines. */
export const klineRow = (c: LocalCandle, stepMs: number): (number | string)[] => [
  c.ts,
  decimal(c.open),
  decimal(c.high),
  decimal(c.low),
  decimal(c.close),
  decimal(c.volume),
  c.ts + stepMs - 1,
  decimal(c.volume * c.close),
  Math.round(c.volume),
  decimal(c.volume / 2),
  decimal((c.volume / 2) * c.close),
  '0',
]

/** GET …/klines */
export function klines(data: MarketData, params: URLSearchParams, maxLimit: number): unknown {
  const symbol = knownSymbol(data, params)
  const stepMs = INTERVAL_MS[params.get('interval') ?? '']
  if (stepMs === undefined) throw refusals.badInterval()
  const number = (name: string) => (params.has(name) ? Number(params.get(name)) : undefined)
  const startMs = number('startTime')
  const endMs = number('endTime')
  const limit = Math.min(maxLimit, number('limit') ?? 500)
  const range = { limit, ...(startMs === undefined ? {} : { startMs }), ...(endMs === undefined ? {} : { endMs }) }
  return data.candles(symbol, stepMs, range).map((c) => klineRow(c, stepMs))
}

/** GET …/ticker/24hr of one symbol */
export function dayTicker(data: MarketData, symbol: string, now: number, spot: boolean): object {
  const day = data.day(symbol)
  const last = data.last(symbol)
  if (day === null || last === null) throw refusals.badSymbol()
  const { bid, ask } = topOf(last)
  return {
    symbol,
    priceChange: decimal(last - day.open),
    priceChangePercent: (((last - day.open) / day.open) * 100).toFixed(3),
    weightedAvgPrice: decimal((day.open + last) / 2),
    lastPrice: decimal(last),
    lastQty: '0.01000000',
    ...(spot
      ? { prevClosePrice: decimal(day.open), bidPrice: bid, bidQty: '1.00000000', askPrice: ask, askQty: '1.00000000' }
      : {}),
    openPrice: decimal(day.open),
    highPrice: decimal(day.high),
    lowPrice: decimal(day.low),
    volume: decimal(day.volume),
    quoteVolume: decimal(day.volume * last),
    openTime: now - 86_400_000,
    closeTime: now,
    firstId: 1,
    lastId: 1000,
    count: 1000,
  }
}

/** GET …/ticker/bookTicker of one symbol */
export function bookTicker(data: MarketData, symbol: string): object {
  const last = data.last(symbol)
  if (last === null) throw refusals.badSymbol()
  const { bid, ask } = topOf(last)
  return { symbol, bidPrice: bid, bidQty: '1.50000000', askPrice: ask, askQty: '2.50000000' }
}

/** GET …/depth */
export function depth(data: MarketData, symbol: string, limit: number, now: number, futures: boolean): object {
  const last = data.last(symbol)
  if (last === null) throw refusals.badSymbol()
  const levels = Array.from({ length: Math.min(limit, 20) }, (_, i) => i + 1)
  return {
    lastUpdateId: Math.floor(now / 100),
    ...(futures ? { E: now, T: now } : {}),
    bids: levels.map((i) => [decimal(last - i / 100), decimal(1 + i / 2)]),
    asks: levels.map((i) => [decimal(last + i / 100), decimal(2 + i / 2)]),
  }
}

/** The symbol that a request names; throws the venue's refusal if there is none such. */
export function knownSymbol(data: MarketData, params: URLSearchParams): string {
  const symbol = params.get('symbol')
  if (symbol === null) throw refusals.missing('symbol')
  if (!data.has(symbol)) throw refusals.badSymbol()
  return symbol
}

const topOf = (last: number) => ({ bid: decimal(last - 0.01), ask: decimal(last + 0.01) })

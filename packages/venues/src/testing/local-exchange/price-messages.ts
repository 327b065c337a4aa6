import { decimal, INTERVAL_MS } from './binance-numbers.ts'
import type { LocalCandle, MarketData } from './market-data.ts'

/** What a stream such as `btcusdt@kline_1m` says now, or null if there is nothing to say. `bootstrap` for the first. */
export function priceMessage(data: MarketData, stream: string, now: number): object | null {
  const [id, channel] = stream.split('@')
  const symbol = (id ?? '').toUpperCase()
  if (channel === undefined || !data.has(symbol)) return null
  if (channel.startsWith('kline_')) {
    const interval = channel.slice('kline_'.length)
    const stepMs = INTERVAL_MS[interval]
    if (stepMs === undefined) return null
    const candle = data.candleAt(symbol, stepMs, Math.floor(now / stepMs) * stepMs)
    return candle === null ? null : klineMessage(symbol, interval, stepMs, candle, now, false)
  }
  return tickerMessage(data, symbol, channel, now)
}

/** The last message of a candle that has just ended; null where it does not end at `now`, or nothing was traded. */
export function closingMessage(data: MarketData, stream: string, now: number): object | null {
  const [id, channel] = stream.split('@')
  const symbol = (id ?? '').toUpperCase()
  if (channel === undefined || !channel.startsWith('kline_')) return null
  const interval = channel.slice('kline_'.length)
  const stepMs = INTERVAL_MS[interval]
  if (stepMs === undefined || now % stepMs !== 0) return null
  const candle = data.candleAt(symbol, stepMs, now - stepMs)
  return candle === null ? null : klineMessage(symbol, interval, stepMs, candle, now, true)
}

/** A `kline` event of Binance's streams. */
export const klineMessage = (
  symbol: string,
  interval: string,
  stepMs: number,
  c: LocalCandle,
  now: number,
  final: boolean,
): object => ({
  e: 'kline',
  E: now,
  s: symbol,
  k: {
    t: c.ts,
    T: c.ts + stepMs - 1,
    s: symbol,
    i: interval,
    f: 100,
    L: 200,
    o: decimal(c.open),
    c: decimal(c.close),
    h: decimal(c.high),
    l: decimal(c.low),
    v: decimal(c.volume),
    n: 100,
    x: final,
    q: decimal(c.volume * c.close),
    V: decimal(c.volume / 2),
    Q: decimal((c.volume / 2) * c.close),
    B: '0',
  },
})

function tickerMessage(data: MarketData, symbol: string, channel: string, now: number): object | null {
  const last = data.last(symbol)
  if (last === null) return null
  if (channel === 'bookTicker')
    return { u: now, s: symbol, b: decimal(last - 0.01), B: '1.5', a: decimal(last + 0.01), A: '2.5' }
  const day = data.day(symbol)
  if (day === null || (channel !== 'ticker' && channel !== 'miniTicker')) return null
  const mini = {
    e: channel === 'ticker' ? '24hrTicker' : '24hrMiniTicker',
    E: now,
    s: symbol,
    c: decimal(last),
    o: decimal(day.open),
    h: decimal(day.high),
    l: decimal(day.low),
    v: decimal(day.volume),
    q: decimal(day.volume * last),
  }
  if (channel === 'miniTicker') return mini
  return {
    ...mini,
    p: decimal(last - day.open),
    P: (((last - day.open) / day.open) * 100).toFixed(3),
    w: decimal((day.open + last) / 2),
    x: decimal(day.open),
    Q: '0.01000000',
    b: decimal(last - 0.01),
    B: '1.50000000',
    a: decimal(last + 0.01),
    A: '2.50000000',
    O: now - 86_400_000,
    C: now,
    F: 1,
    L: 1000,
    n: 1000,
  }
}

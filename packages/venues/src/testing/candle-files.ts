import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { emptyCandles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'

/** A random walk of sound candles, one each timeframe, made for tests and measurements. */
export function randomCandles(count: number, fromMs: number, timeframe: Timeframe, seed = 1): Candles {
  const random = createRandom(seed)
  const candles = emptyCandles(count)
  let close = 20_000
  for (let i = 0; i < count; i++) {
    const open = close
    close = Math.max(1, cents(open * (1 + 0.001 * random.normal())))
    candles.ts[i] = fromMs + i * TIMEFRAME_MS[timeframe]
    candles.open[i] = open
    candles.high[i] = cents(Math.max(open, close) * (1 + 0.0005 * random.next()) + 0.01)
    candles.low[i] = Math.max(0.01, cents(Math.min(open, close) * (1 - 0.0005 * random.next())))
    candles.close[i] = close
    candles.volume[i] = Math.round(random.next() * 1e7) / 1e5
  }
  return candles
}

const cents = (price: number): number => Math.round(price * 100) / 100

const rows = (candles: Candles, write: (i: number) => string): string[] =>
  Array.from({ length: candles.length }, (_, i) => write(i))

const ohlc = (c: Candles, i: number): string => `${c.open[i]},${c.high[i]},${c.low[i]},${c.close[i]}`

/** Our own CSV. */
export const shapecastCsv = (c: Candles): string =>
  ['timestamp,open,high,low,close,volume', ...rows(c, (i) => `${c.ts[i]},${ohlc(c, i)},${c.volume[i]}`), ''].join('\n')

/** Binance klines: 12 columns, in ms or µs, with or without their header. */
export function binanceCsv(
  c: Candles,
  timeframe: Timeframe,
  options: { unit?: 'ms' | 'us'; header?: boolean } = {},
): string {
  const { unit = 'ms', header = false } = options
  const stamp = (ms: number): string => (unit === 'ms' ? `${ms}` : `${ms}000`)
  const names =
    'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore'
  const lines = rows(c, (i) => {
    const closes =
      unit === 'ms' ? c.ts[i]! + TIMEFRAME_MS[timeframe] - 1 : `${c.ts[i]! + TIMEFRAME_MS[timeframe] - 1}999`
    return `${stamp(c.ts[i]!)},${ohlc(c, i)},${c.volume[i]},${closes},1.5,10,0.5,0.75,0`
  })
  return [...(header ? [names] : []), ...lines, ''].join('\n')
}

/** CryptoDataDownload: URL line, header, newest first. */
export function cryptoDataDownloadCsv(c: Candles, base: string, quote: string, unit: 's' | 'ms' = 'ms'): string {
  const lines = rows(c, (i) => {
    const ts = c.ts[i]!
    const date = new Date(ts).toISOString().slice(0, 19).replace('T', ' ')
    return `${unit === 's' ? ts / 1000 : ts},${date},${base}/${quote},${ohlc(c, i)},${c.volume[i]},12.5,3`
  })
  const head = `unix,date,symbol,open,high,low,close,Volume ${base},Volume ${quote},tradecount`
  return ['https://www.CryptoDataDownload.com', head, ...lines.reverse(), ''].join('\n')
}

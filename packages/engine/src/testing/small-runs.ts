import { type BacktestSettings, backtestSettings } from '../backtest-settings.ts'
import { type Candles, candlesFromRows } from '../candles.ts'
import { DECISION, type Decision } from '../decisions.ts'
import type { Random } from '../random.ts'

/** Open, high, low, close of one hourly candle; a fifth number skips that many candles before it. */
export type Ohlc = readonly [open: number, high: number, low: number, close: number, gapBefore?: number]

export const HOUR = 3_600_000

/** Hourly candles from time 0. */
export function hourly(...rows: readonly Ohlc[]): Candles {
  let ts = -HOUR
  return candlesFromRows(
    rows.map(([open, high, low, close, gap = 0]) => {
      ts += HOUR * (1 + gap)
      return [ts, open, high, low, close, 1]
    }),
  )
}

const CODES: Record<string, Decision> = {
  B: DECISION.BUY,
  S: DECISION.SELL,
  C: DECISION.CLOSE,
  L: DECISION.CLOSE_LONG,
  K: DECISION.CLOSE_SHORT,
  '.': DECISION.HOLD,
}

/** One letter per candle: B buy, S sell, C close, L close a long, K close a short, . hold. */
export const decided = (letters: string): Int8Array => Int8Array.from(letters, (letter) => CODES[letter]!)

/** Futures without leverage, costs and limits, one unit an entry; what a test is about is given. */
export const futures = (given: Partial<BacktestSettings> = {}): BacktestSettings =>
  backtestSettings({
    market: 'futures',
    timeframe: '1h',
    initialBalance: 1000,
    leverage: 1,
    sizing: { kind: 'fixed', quantity: 1 },
    ...given,
  })

/** The same on spot. */
export const spot = (given: Partial<BacktestSettings> = {}): BacktestSettings => futures({ market: 'spot', ...given })

/** Hourly candles from time `HOUR` on that move by `wildness` (ratio) an hour, with gaps. */
export function wildCandles(random: Random, length: number, wildness: number): Candles {
  const rows: number[][] = []
  let ts = 0
  let close = 100
  for (let i = 0; i < length; i++) {
    ts += HOUR * (random.next() < 0.05 ? 1 + random.below(5) : 1)
    const open = random.next() < 0.7 ? close : close * Math.exp(wildness * random.normal())
    close = open * Math.exp(wildness * random.normal())
    const high = Math.max(open, close) * Math.exp(wildness * random.next())
    const low = Math.min(open, close) * Math.exp(-wildness * random.next())
    rows.push([ts, open, high, low, close, 1])
  }
  return candlesFromRows(rows)
}

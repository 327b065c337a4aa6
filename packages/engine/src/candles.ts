import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'

/** Candles of one series as columns, oldest first. `ts` is the open time in ms UTC; `volume` is in base. */
export interface Candles {
  readonly length: number
  readonly ts: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

export const CANDLE_COLUMNS = ['ts', 'open', 'high', 'low', 'close', 'volume'] as const

function candlesOf(column: (name: (typeof CANDLE_COLUMNS)[number]) => Float64Array): Candles {
  const ts = column('ts')
  const prices = { open: column('open'), high: column('high'), low: column('low'), close: column('close') }
  return { length: ts.length, ts, ...prices, volume: column('volume') }
}

/** `length` candles of zeros, to be filled by column. */
export const emptyCandles = (length: number): Candles => candlesOf(() => new Float64Array(length))

/** Candles `from` (included) to `to` (left out) as views on the same memory. */
export const sliceCandles = (candles: Candles, from: number, to: number = candles.length): Candles =>
  candlesOf((name) => candles[name].subarray(from, to))

/** Candles `from` (included) to `to` (left out) in memory of their own. */
export const copyCandles = (candles: Candles, from: number, to: number = candles.length): Candles =>
  candlesOf((name) => candles[name].slice(from, to))

/** Writes candles into others, from index `at` on. */
export function setCandles(target: Candles, source: Candles, at = 0): void {
  for (const name of CANDLE_COLUMNS) target[name].set(source[name], at)
}

export function joinCandles(first: Candles, second: Candles): Candles {
  const joined = emptyCandles(first.length + second.length)
  setCandles(joined, first)
  setCandles(joined, second, first.length)
  return joined
}

/** Columns from rows of [timestamp, open, high, low, close, volume]. */
export function candlesFromRows(rows: readonly (readonly number[])[]): Candles {
  const candles = emptyCandles(rows.length)
  const columns = CANDLE_COLUMNS.map((name) => candles[name])
  for (let i = 0; i < rows.length; i++) for (let c = 0; c < 6; c++) columns[c]![i] = rows[i]![c]!
  return candles
}

type Row = [ts: number, open: number, high: number, low: number, close: number, volume: number]

/** Rows of [timestamp, open, high, low, close, volume], as the API sends them. */
export const rowsFromCandles = ({ length, ts, open, high, low, close, volume }: Candles): Row[] =>
  Array.from({ length }, (_, i) => [ts[i]!, open[i]!, high[i]!, low[i]!, close[i]!, volume[i]!])

/** The first index whose open time is at or after `ts` (ms); `length` if all are before it. */
export function indexAtOrAfter(candles: Pick<Candles, 'length' | 'ts'>, ts: number): number {
  let low = 0
  let high = candles.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (candles.ts[middle]! < ts) low = middle + 1
    else high = middle
  }
  return low
}

const DAY_MS = 86_400_000

/**
 * The candles whose closes are daily closes: the first of each UTC day that closes at or after 00:00. The first candle
 * of all is none, since the one before it is not known. A day without candles has none.
 */
export function dailyCloses({ ts }: Candles, timeframe: Timeframe): number[] {
  const found: number[] = []
  let before = Number.NaN
  for (let i = 0; i < ts.length; i++) {
    const day = Math.floor((ts[i]! + TIMEFRAME_MS[timeframe]) / DAY_MS)
    if (day > before) found.push(i)
    before = day
  }
  return found
}

import { CANDLE_COLUMNS, type Candles, candlesFromRows } from '@shapecast/engine/candles'
import type { LiveCandle } from '../live-venue.ts'
import type { ExchangeCandle } from './calls/exchange-calls.ts'

/** Where candles may lie: open times in ms, aligned to `stepMs`, both ends included. */
export interface CandleSlots {
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
}

/** A row of an exchange as a candle of a series with this step; null where its values make no sense. */
export function soundCandle(row: ExchangeCandle, stepMs: number): LiveCandle | null {
  const [ts, open, high, low, close, volume] = row
  if (ts === undefined || open === undefined || high === undefined || low === undefined || close === undefined)
    return null
  const values = [ts, open, high, low, close]
  // Some venues have no volume for a candle without trades, whose prices are all the same.
  const traded = volume ?? (high === low ? 0 : Number.NaN)
  if (!values.every(Number.isFinite) || !(low > 0) || !(traded >= 0) || !Number.isFinite(traded)) return null
  if (high < Math.max(open, close, low) || low > Math.min(open, close) || ts % stepMs !== 0) return null
  return { ts, open, high, low, close, volume: traded }
}

/**
 * The door: rows that a venue sent, as candles in order, unique and of sane values within `slots`. Rows outside the
 * slots were not asked for and are left out; rows that contradict themselves are counted.
 */
export function soundCandles(
  rows: readonly ExchangeCandle[],
  slots: CandleSlots,
): { candles: Candles; refused: number } {
  const { fromMs, toMs, stepMs } = slots
  const sound: number[][] = []
  let refused = 0
  for (const row of rows) {
    const candle = soundCandle(row, stepMs)
    if (candle !== null && (candle.ts < fromMs || candle.ts > toMs)) continue
    if (candle === null || candle.ts <= (sound.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY)) refused++
    else sound.push(CANDLE_COLUMNS.map((name) => candle[name]))
  }
  return { candles: candlesFromRows(sound), refused }
}

import { assertPeriod, firstDefined, warmingSeries } from './series.ts'

const NEUTRAL = 50

/**
 * Relative strength index, 0–100 (Wilder, New Concepts, 1978): 100 × gains / (gains + losses), both by Wilder's
 * smoothing. The first value stands at candle `period`; 50 where nothing has moved.
 */
export function rsi(close: Float64Array, period = 14): Float64Array {
  assertPeriod(period)
  const start = firstDefined(close)
  const first = start + period
  const out = warmingSeries(close.length, first)
  if (first >= close.length) return out
  let gains = 0
  let losses = 0
  for (let i = start + 1; i <= first; i++) {
    const change = close[i]! - close[i - 1]!
    if (change > 0) gains += change
    else losses -= change
  }
  gains /= period
  losses /= period
  out[first] = gains + losses === 0 ? NEUTRAL : (100 * gains) / (gains + losses)
  const weight = 1 / period
  for (let i = first + 1; i < close.length; i++) {
    const change = close[i]! - close[i - 1]!
    gains += weight * (Math.max(change, 0) - gains)
    losses += weight * ((change < 0 ? -change : 0) - losses)
    const both = gains + losses
    out[i] = both === 0 ? NEUTRAL : (100 * gains) / both
  }
  return out
}

const LONGEST = 28
/** Rings of the last values, small enough to stay in the processor's cache. */
const RING = 32
const at = (i: number): number => i & (RING - 1)

/**
 * Ultimate Oscillator, 0–100 (Williams, Stocks & Commodities 3:4, 1985): buying pressure over true range for 7, 14 and
 * 28 candles, weighted 4 : 2 : 1. The first value stands at candle 28; a period without any range counts as neutral.
 */
export function ultimateOscillator(high: Float64Array, low: Float64Array, close: Float64Array): Float64Array {
  const { length } = close
  const out = warmingSeries(length, LONGEST)
  const pressure = new Float64Array(RING)
  const range = new Float64Array(RING)
  // Sums over 7 candles are added up afresh, those over 14 and 28 from them: nothing slides, so nothing drifts.
  const pressure7 = new Float64Array(RING)
  const range7 = new Float64Array(RING)
  for (let i = 1; i < length; i++) {
    const before = close[i - 1]!
    const bottom = Math.min(low[i]!, before)
    pressure[at(i)] = close[i]! - bottom
    range[at(i)] = Math.max(high[i]!, before) - bottom
    const p7 = sumOfSeven(pressure, i)
    const r7 = sumOfSeven(range, i)
    pressure7[at(i)] = p7
    range7[at(i)] = r7
    if (i < LONGEST) continue
    const p14 = p7 + pressure7[at(i - 7)]!
    const r14 = r7 + range7[at(i - 7)]!
    const p28 = p14 + pressure7[at(i - 14)]! + pressure7[at(i - 21)]!
    const r28 = r14 + range7[at(i - 14)]! + range7[at(i - 21)]!
    out[i] = (100 * (4 * share(p7, r7) + 2 * share(p14, r14) + share(p28, r28))) / 7
  }
  return out
}

const share = (pressure: number, range: number): number => (range === 0 ? 0.5 : pressure / range)

const sumOfSeven = (x: Float64Array, i: number): number =>
  x[at(i)]! + x[at(i - 1)]! + (x[at(i - 2)]! + x[at(i - 3)]!) + (x[at(i - 4)]! + x[at(i - 5)]!) + x[at(i - 6)]!

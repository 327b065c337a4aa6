import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, emptyCandles } from '@shapecast/engine/candles'
import { BLOCK } from './log-path.ts'
import type { MinuteBlocks } from './minute-candles.ts'

const MINUTE_MS = 60_000

/**
 * `count` candles of the timeframe from the one that opens at `fromMs` (aligned) on: each made of its minutes, so that
 * every timeframe says exactly the same as the one below it.
 */
export function simulatedCandles(minutes: MinuteBlocks, timeframe: Timeframe, fromMs: number, count: number): Candles {
  const parts = TIMEFRAME_MS[timeframe] / MINUTE_MS
  const out = emptyCandles(count)
  let minute = fromMs / MINUTE_MS
  let block = minutes.block(Math.floor(minute / BLOCK))
  let at = minute % BLOCK
  for (let i = 0; i < count; i++) {
    let high = 0
    let low = Number.POSITIVE_INFINITY
    let volume = 0
    out.ts[i] = minute * MINUTE_MS
    for (let part = 0; part < parts; part++) {
      if (at === BLOCK) {
        block = minutes.block(minute / BLOCK)
        at = 0
      }
      if (part === 0) out.open[i] = block.open[at]!
      if (block.high[at]! > high) high = block.high[at]!
      if (block.low[at]! < low) low = block.low[at]!
      volume += block.volume[at]!
      if (part === parts - 1) out.close[i] = block.close[at]!
      at++
      minute++
    }
    out.high[i] = high
    out.low[i] = low
    out.volume[i] = volume
  }
  return out
}

/** The way of a price within its minute: the open, both extremes and the close, the low first where the minute rises. */
const stopsOf = (block: Candles, i: number): [number, number, number, number] => {
  const [open, high, low, close] = [block.open[i]!, block.high[i]!, block.low[i]!, block.close[i]!]
  return close >= open ? [open, low, high, close] : [open, high, low, close]
}

/**
 * The price at any millisecond: within a minute it goes from the open over both extremes to the close in three straight
 * legs, the low first where the minute rises. So it never leaves the candle that it becomes.
 */
export function simulatedPrice(minutes: MinuteBlocks, ms: number, decimals: number): number {
  const minute = Math.floor(ms / MINUTE_MS)
  const block = minutes.block(Math.floor(minute / BLOCK))
  const i = minute % BLOCK
  const stops = stopsOf(block, i)
  const way = ((ms % MINUTE_MS) / MINUTE_MS) * 3
  const leg = Math.min(2, Math.floor(way))
  const price = stops[leg]! + (stops[leg + 1]! - stops[leg]!) * (way - leg)
  const scale = 10 ** decimals
  return Math.round(price * scale) / scale
}

/** The candle that opened last at `ms`, as far as it has come: its closed minutes and what of the current one has passed. */
export function simulatedOpenCandle(
  minutes: MinuteBlocks,
  timeframe: Timeframe,
  ms: number,
  decimals: number,
): Candles {
  const step = TIMEFRAME_MS[timeframe]
  const openMs = Math.floor(ms / step) * step
  const minute = Math.floor(ms / MINUTE_MS)
  const price = simulatedPrice(minutes, ms, decimals)
  const block = minutes.block(Math.floor(minute / BLOCK))
  const i = minute % BLOCK
  const way = (ms % MINUTE_MS) / MINUTE_MS
  const passed = [...stopsOf(block, i).slice(0, Math.floor(way * 3) + 1), price]
  const [open, volume] = [block.open[i]!, block.volume[i]! * way]
  // From here on the block's columns may hold other minutes.
  const closed = simulatedCandles(minutes, '1m', openMs, minute - openMs / MINUTE_MS)
  const out = emptyCandles(1)
  out.ts[0] = openMs
  out.open[0] = closed.open[0] ?? open
  out.high[0] = closed.high.reduce((a, b) => Math.max(a, b), Math.max(...passed))
  out.low[0] = closed.low.reduce((a, b) => Math.min(a, b), Math.min(...passed))
  out.close[0] = price
  out.volume[0] = closed.volume.reduce((a, b) => a + b, volume)
  return out
}

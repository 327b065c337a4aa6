import { type Candles, emptyCandles, sliceCandles } from '@shapecast/engine/candles'

/**
 * Candles of `toMs` made of candles of `fromMs` (ms, `toMs` a multiple of it), oldest first. Only buckets that are
 * complete are made: one with a missing candle would have a made-up open, range or volume, so it is a gap instead.
 * Open of the first, highest high, lowest low, close of the last, sum of the volumes in order.
 */
export function aggregateCandles(candles: Candles, fromMs: number, toMs: number): Candles {
  const { ts, open, high, low, close, volume, length } = candles
  const parts = toMs / fromMs
  const out = emptyCandles(Math.floor(length / parts))
  let made = 0
  let i = 0
  while (i + parts <= length) {
    const start = ts[i]!
    // Stored candles are aligned and unique: the bucket is complete where its last part is where it has to be.
    if (start % toMs !== 0 || ts[i + parts - 1] !== start + toMs - fromMs) {
      i++
      continue
    }
    let top = high[i]!
    let bottom = low[i]!
    let sum = volume[i]!
    const end = i + parts
    for (let k = i + 1; k < end; k++) {
      if (high[k]! > top) top = high[k]!
      if (low[k]! < bottom) bottom = low[k]!
      sum += volume[k]!
    }
    out.ts[made] = start
    out.open[made] = open[i]!
    out.high[made] = top
    out.low[made] = bottom
    out.close[made] = close[end - 1]!
    out.volume[made] = sum
    made++
    i = end
  }
  return sliceCandles(out, 0, made)
}

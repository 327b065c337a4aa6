import type { Candles } from '@shapecast/engine/candles'

/** Written anew by each call. */
const numbers = new Float64Array(7)
const words = new Uint32Array(numbers.buffer)
const PRIME = 0x01000193
const OFFSETS = [0x811c9dc5, 0x9747b28c] as const

/**
 * A number that changes where the candle, or which candle comes before it, changes: 53 bits of FNV-1a over its columns
 * and both open times. It guards against stale rows, not against forgers.
 */
export function candleCheck({ ts, open, high, low, close, volume }: Candles, i: number): number {
  numbers.set([ts[i]!, i === 0 ? 0 : ts[i - 1]!, open[i]!, high[i]!, low[i]!, close[i]!, volume[i]!])
  let [a, b] = OFFSETS as readonly number[] as [number, number]
  for (let k = 0; k < words.length; k++) {
    a = Math.imul(a ^ words[k]!, PRIME)
    b = Math.imul(b ^ words[words.length - 1 - k]!, PRIME)
  }
  return ((a >>> 0) & 0x1fffff) * 2 ** 32 + (b >>> 0)
}

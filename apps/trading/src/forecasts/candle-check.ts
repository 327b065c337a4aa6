import type { Candles } from '@shapecast/engine/candles'

/** Written again by each call. */
const numbers = new Float64Array(6)
const words = new Uint32Array(numbers.buffer)
const PRIME = 0x01000193
const OFFSETS = [0x811c9dc5, 0x9747b28c] as const

/** Above every check; the sum of two checks is exact. */
const SIZE = 2 ** 52

/**
 * A number that changes where the candle changes: 52 bits of FNV-1a over its open time and its columns. It guards against
 * stale rows, not against forgers.
 */
export function candleCheck({ ts, open, high, low, close, volume }: Candles, i: number): number {
  numbers.set([ts[i]!, open[i]!, high[i]!, low[i]!, close[i]!, volume[i]!])
  let [a, b] = OFFSETS as readonly number[] as [number, number]
  for (let k = 0; k < words.length; k++) {
    a = Math.imul(a ^ words[k]!, PRIME)
    b = Math.imul(b ^ words[words.length - 1 - k]!, PRIME)
  }
  return ((a >>> 0) & 0xfffff) * 2 ** 32 + (b >>> 0)
}

/**
 * By candle a number that changes where it or one of the `history` candles before it changes: the sum of their checks, the
 * same wherever the candles begin that are before those.
 */
export function windowChecks(candles: Candles, history: number): Float64Array {
  const checks = Float64Array.from(candles.ts, (_, i) => candleCheck(candles, i))
  let sum = 0
  return checks.map((check, i) => {
    sum = (((sum + check) % SIZE) - (checks[i - history - 1] ?? 0) + SIZE) % SIZE
    return sum
  })
}

import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, emptyCandles } from '@shapecast/engine/candles'

/** `count` candles of a symbol and timeframe from the one that opens at `fromMs` (aligned) on. */
export type MakeCandles = (symbol: string, timeframe: Timeframe, fromMs: number, count: number) => Candles

const MINUTE_MS = 60_000
/** Made and kept together: some milliseconds of work. */
const CHUNK_MINUTES = 8_192
const LEAST_IN_CHUNK = 8
/** Of 48 bytes each: 19 MB. */
const MOST_KEPT = 400_000
const COLUMNS = ['ts', 'open', 'high', 'low', 'close', 'volume'] as const

/** The same candles, with the newest replies cached. The caller owns what it gets. */
export function keepCandles(make: MakeCandles, mostKept = MOST_KEPT): MakeCandles {
  // The one that was used longest ago comes first.
  const chunks = new Map<string, Candles>()
  let kept = 0

  function chunkOf(symbol: string, timeframe: Timeframe, size: number, index: number): Candles {
    const key = `${symbol} ${timeframe} ${index}`
    let chunk = chunks.get(key)
    if (chunk === undefined) {
      chunk = make(symbol, timeframe, index * size * TIMEFRAME_MS[timeframe], size)
      kept += size
    }
    chunks.delete(key)
    chunks.set(key, chunk)
    for (const [oldest, { length }] of chunks) {
      if (kept <= mostKept) break
      chunks.delete(oldest)
      kept -= length
    }
    return chunk
  }

  return (symbol, timeframe, fromMs, count) => {
    const step = TIMEFRAME_MS[timeframe]
    const size = Math.max(LEAST_IN_CHUNK, Math.floor((CHUNK_MINUTES * MINUTE_MS) / step))
    const out = emptyCandles(count)
    const first = fromMs / step
    for (let done = 0; done < count; ) {
      const at = first + done
      const chunk = chunkOf(symbol, timeframe, size, Math.floor(at / size))
      const from = at % size
      const taken = Math.min(size - from, count - done)
      for (const column of COLUMNS) out[column].set(chunk[column].subarray(from, from + taken), done)
      done += taken
    }
    return out
  }
}

import { AppError } from '@shapecast/contracts/errors'
import type { Candles } from '@shapecast/engine/candles'
import type { LiveCandle } from '../live-venue.ts'
import { createBackoff, sleep } from './backoff.ts'
import type { HistoryAnswer } from './candle-pages.ts'

/** Candles of one series that are over, though the stream never said so with their final values. */
export interface UnconfirmedCandles {
  /** The candle that opened at `ts` has to be read from the history. */
  add(ts: number): void
  /** The stream has said it after all. */
  settle(ts: number): void
  /** Nothing of what is open matters any more. */
  clear(): void
}

const TRIES = 6

/**
 * Reads them, a moment later (the closing message may be on its way, the history a little behind), all in one question.
 */
export function createUnconfirmedCandles(deps: {
  /** Closed candles of the series from this open time on. */
  read: (fromMs: number) => Promise<HistoryAnswer>
  /** `askedMs` is when the history was asked, by the venue's clock. */
  found: (candle: LiveCandle, askedMs: number) => void
  signal: AbortSignal
  waitMs: number
  random: () => number
}): UnconfirmedCandles {
  const { read, found, signal, waitMs, random } = deps
  /** By open time: the reading that may answer, which is the next at the time of the message. */
  const open = new Map<number, number>()
  let readings = 0
  let running = false

  async function run(): Promise<void> {
    const backoff = createBackoff({ firstMs: waitMs, maxMs: 10_000, random })
    await sleep(waitMs, signal)
    for (let tries = 0; open.size > 0 && tries < TRIES; tries++) {
      try {
        const reading = ++readings
        const { candles, askedMs } = await read(Math.min(...open.keys()))
        for (let i = 0; i < candles.length; i++) {
          const ts = candles.ts[i]!
          if ((open.get(ts) ?? Number.POSITIVE_INFINITY) > reading) continue
          open.delete(ts)
          found(candleOf(candles, i), askedMs)
        }
        if (open.size === 0) return
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.retryAfterS !== undefined) await sleep(error.retryAfterS * 1000, signal)
      }
      await sleep(backoff.next(), signal)
    }
    // The venue has no such candle: the search for gaps handles that.
    open.clear()
  }

  return {
    add(ts) {
      open.set(ts, readings + 1)
      if (running) return
      running = true
      run()
        .catch(() => open.clear())
        .finally(() => {
          running = false
        })
    },
    settle: (ts) => void open.delete(ts),
    clear: () => open.clear(),
  }
}

/** Candle `i` of the columns. */
export const candleOf = (candles: Candles, i: number): LiveCandle => ({
  ts: candles.ts[i]!,
  open: candles.open[i]!,
  high: candles.high[i]!,
  low: candles.low[i]!,
  close: candles.close[i]!,
  volume: candles.volume[i]!,
})

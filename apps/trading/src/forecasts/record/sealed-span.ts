import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { SealedSpan } from '@shapecast/contracts/track-record'
import { type Candles, indexAtOrAfter } from '@shapecast/engine/candles'
import { lastClosedOpen } from '@shapecast/venues/venue'
import { createCache } from '../../ground/cache.ts'
import type { SeriesMarket } from '../../market/series-market.ts'
import { sealableUntil } from './seal-window.ts'

/** The candles of a series that a version has sealed. */
export type SealedCandles = {
  version: string
  symbol: string
  timeframe: Timeframe
  sealed: number
  /** Open time of the newest, ms. */
  newest: number
  /** Open times, ms, of two that follow one another with unsealed ones between them. */
  gaps: readonly (readonly [number, number])[]
}

export interface SpanDeps {
  load: SeriesMarket['load']
  now(): number
}

type Times = Pick<Candles, 'length' | 'ts'>

/** Candles that are looked up at a time, and for how long what was found is taken for true. */
const PIECE_CANDLES = 10_000
const PIECES_KEPT = 400
const KEPT_MS = 60_000

/** The open time of the last candle that can no longer be sealed, ms. */
export function lastUnsealable(timeframe: Timeframe, marketMs: number): number {
  const closed = lastClosedOpen(timeframe, marketMs)
  return sealableUntil(closed, timeframe) <= marketMs ? closed : closed - TIMEFRAME_MS[timeframe]
}

/**
 * Counts the candles that a version could have sealed and did not. Candles are looked up only where some are unsealed, so
 * that a record without a hole reads none.
 */
export function createSpanCounter({ load, now }: SpanDeps) {
  const pieces = createCache<Times>({ max: PIECES_KEPT, ttl: { ms: KEPT_MS, now } })

  const timesOf = (symbol: string, timeframe: Timeframe, piece: number): Promise<Times> =>
    pieces.get(`${symbol} ${timeframe} ${piece}`, async () => {
      const length = PIECE_CANDLES * TIMEFRAME_MS[timeframe]
      const candles = await load(symbol, timeframe, { fromMs: piece * length, toMs: (piece + 1) * length - 1 })
      return { length: candles.length, ts: candles.ts.slice() }
    })

  /**
   * From the first candle that was sealed to the newest, or to `untilTs` where the version seals still. Null where its
   * candles cannot be read.
   */
  return async (record: SealedCandles, untilTs: number | null): Promise<SealedSpan | null> => {
    const { symbol, timeframe, sealed, newest, gaps } = record
    const step = TIMEFRAME_MS[timeframe]
    const unsealed: [number, number][] = gaps.map(([before, after]) => [before + step, after - step])
    if (untilTs !== null && untilTs > newest) unsealed.push([newest + step, untilTs])
    let missed = 0
    try {
      for (const [from, to] of unsealed)
        for (let piece = Math.floor(from / step / PIECE_CANDLES); piece * PIECE_CANDLES * step <= to; piece++) {
          const times = await timesOf(symbol, timeframe, piece)
          missed += indexAtOrAfter(times, to + 1) - indexAtOrAfter(times, from)
        }
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
    return { candles: sealed + missed, missed }
  }
}

/** Spans of several series together; null where one is not known. */
export const spanOfAll = (spans: readonly (SealedSpan | null)[]): SealedSpan | null =>
  spans.reduce<SealedSpan | null>(
    (all, one) =>
      all === null || one === null ? null : { candles: all.candles + one.candles, missed: all.missed + one.missed },
    { candles: 0, missed: 0 },
  )

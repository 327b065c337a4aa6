import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { CANDLE_COLUMNS, type Candles, emptyCandles, sliceCandles } from '@shapecast/engine/candles'
import type { ClockReading } from '../live-venue.ts'
import { lastClosedOpen } from '../venue.ts'
import type { ExchangeCalls } from './calls/exchange-calls.ts'
import { soundCandle, soundCandles } from './sound-candles.ts'
import type { VenueAsker } from './venue-asker.ts'
import type { VenueClock } from './venue-clock.ts'

const PAGE = 1000
/** So long after its end a candle counts as final by the clock alone; sooner only where the next one has begun. */
const SETTLED_MS = 2000

/** Which candles can be closed by the venue's clock. */
export interface ClosedBound {
  /** The last that may be. */
  readonly lastMs: number
  /** Whether the last one is so fresh that the next must have begun in the venue's own answer. */
  readonly fresh: boolean
}

/** Where closed candles end at `nowMs` of the venue's clock, as far as that is known. */
export function closedBound(timeframe: Timeframe, nowMs: number, reading: ClockReading | null): ClosedBound {
  const doubtMs = reading?.uncertaintyMs ?? 0
  const lastMs = lastClosedOpen(timeframe, nowMs)
  const endedForMs = nowMs - (lastMs + TIMEFRAME_MS[timeframe])
  return { lastMs, fresh: endedForMs < SETTLED_MS + doubtMs }
}

/** Closed candles, and when the venue was asked for them, by its clock: what it says after that is newer. */
export interface HistoryAnswer {
  readonly candles: Candles
  readonly askedMs: number
}

export interface CandlePage extends HistoryAnswer {
  readonly refused: number
  /** Where to go on; past `lastMs` at the end. */
  readonly nextMs: number
  /** The first candle after `lastMs` that the venue sent along; null where it sent none. */
  readonly laterMs: number | null
}

/** The most candles that the exchange gives in one answer. */
export function pageLimit(exchange: ExchangeCalls, symbol: string): number {
  const limit = exchange.featureValue?.(symbol, 'fetchOHLCV', 'limit')
  return typeof limit === 'number' && limit > 0 ? Math.min(PAGE, limit) : PAGE
}

/** One page of closed candles from `sinceMs` (aligned) to `lastMs`, both included. */
export async function readPage(
  deps: { exchange: ExchangeCalls; ask: VenueAsker; clock: VenueClock; warn: (text: string) => void },
  series: { symbol: string; timeframe: Timeframe },
  range: { sinceMs: number; lastMs: number; bound: ClosedBound },
): Promise<CandlePage> {
  const { exchange, ask, clock, warn } = deps
  const { sinceMs, lastMs, bound } = range
  const stepMs = TIMEFRAME_MS[series.timeframe]
  const most = pageLimit(exchange, series.symbol)
  const left = (lastMs - sinceMs) / stepMs + 1
  // One more than the last where its successor has to be seen.
  const wanted = Math.min(most, left + (bound.fresh && lastMs === bound.lastMs ? 1 : 0))
  const askedMs = clock.passed()
  const rows = await ask(() => exchange.fetchOHLCV(series.symbol, series.timeframe, sinceMs, wanted))
  // What has not begun by the venue's own clock is nonsense too.
  const past = rows.filter((row) => !((row[0] ?? 0) > bound.lastMs + 2 * stepMs))
  const { candles, refused: unsound } = soundCandles(past, { fromMs: sinceMs, toMs: lastMs, stepMs })
  const refused = unsound + rows.length - past.length
  if (refused > 0)
    warn(`${exchange.id} sent ${refused} candles of ${series.symbol} ${series.timeframe} that make no sense: refused`)
  const laterMs = past.find((row) => (row[0] ?? 0) > lastMs && soundCandle(row, stepMs) !== null)?.[0] ?? null
  const newest = candles.ts[candles.length - 1]
  if (newest === undefined) {
    // An empty page: there is no more, or (where a venue answers by windows of time) a gap as long as the page.
    const nextMs = rows.length === 0 && wanted === most ? sinceMs + most * stepMs : lastMs + stepMs
    return { candles, askedMs, refused, laterMs, nextMs: Math.min(nextMs, lastMs + stepMs) }
  }
  if (newest === bound.lastMs && bound.fresh && laterMs === null)
    return {
      candles: sliceCandles(candles, 0, candles.length - 1),
      askedMs,
      refused,
      laterMs,
      // A full page had no room for its successor: it is asked for again by itself.
      nextMs: wanted > left || candles.length < wanted ? lastMs + stepMs : newest,
    }
  return { candles, askedMs, refused, laterMs, nextMs: newest + stepMs }
}

/** Pages of one series, oldest first, as one. */
export function joinedCandles(pages: readonly Candles[]): Candles {
  const only = pages[0]
  if (pages.length === 1 && only !== undefined) return only
  const out = emptyCandles(pages.reduce((sum, page) => sum + page.length, 0))
  let at = 0
  for (const page of pages) {
    for (const column of CANDLE_COLUMNS) out[column].set(page[column], at)
    at += page.length
  }
  return out
}

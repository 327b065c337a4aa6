import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { HistoryChunk, HistoryQuery } from '../live-venue.ts'
import { createBackoff, sleep } from './backoff.ts'
import { type CandlePage, closedBound, readPage } from './candle-pages.ts'
import type { ExchangeCalls } from './exchange-calls.ts'
import type { KnownMarkets } from './known-markets.ts'
import type { VenueAsker } from './venue-asker.ts'
import type { VenueClock } from './venue-clock.ts'

const TRIES = 8

export interface HistoryDeps {
  readonly exchange: ExchangeCalls
  readonly ask: VenueAsker
  readonly markets: KnownMarkets
  readonly clock: VenueClock
  readonly random: () => number
  /** The first wait after the venue did not answer, ms. */
  readonly firstWaitMs: number
}

/** A range of a series page by page. See `LiveVenue.history`. */
export async function* readHistory(deps: HistoryDeps, query: HistoryQuery): AsyncGenerator<HistoryChunk> {
  const { clock, markets } = deps
  const { timeframe, signal } = query
  const stepMs = TIMEFRAME_MS[timeframe]
  const patiently = patience(deps, signal)
  const { symbol } = await patiently(() => markets.of(query.symbol))
  await clock.measureOnce()

  const bound = closedBound(timeframe, clock.now(), clock.reading())
  const first = Math.max(0, Math.ceil(query.fromMs / stepMs) * stepMs)
  const lastMs = Math.min(bound.lastMs, Math.floor(query.toMs / stepMs) * stepMs)
  let sinceMs = first
  while (sinceMs <= lastMs) {
    signal?.throwIfAborted()
    const range = { sinceMs, lastMs, bound }
    let page: CandlePage = await patiently(() => readPage(deps, { symbol, timeframe }, range))
    // A page with nonsense in it is worth a second look; what stays is refused.
    if (page.refused > 0) page = await patiently(() => readPage(deps, { symbol, timeframe }, range))
    sinceMs = page.nextMs
    // The candle that was too fresh to take is where to go on.
    const resumeMs = page.candles.length === 0 ? sinceMs : page.candles.ts[page.candles.length - 1]! + stepMs
    const resumed = sinceMs > lastMs && bound.fresh ? Math.min(sinceMs, resumeMs) : sinceMs
    const doneRatio = Math.min(1, (sinceMs - first) / (lastMs + stepMs - first))
    yield { candles: page.candles, resumeMs: resumed, doneRatio, refused: page.refused }
  }
}

/** Tries again while the venue does not answer, and waits for as long as it says that it takes no requests. */
function patience(deps: HistoryDeps, signal: AbortSignal | undefined) {
  return async <T>(call: () => Promise<T>): Promise<T> => {
    const backoff = createBackoff({ firstMs: deps.firstWaitMs, maxMs: 30_000, random: deps.random })
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted()
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'venue_rate_limited') await sleep((error.retryAfterS ?? 1) * 1000 + 5, signal)
        else if (error.code === 'venue_unreachable' && tries < TRIES) await sleep(backoff.next(), signal)
        else throw error
      }
    }
  }
}

import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import type { HistoryChunk, HistoryQuery } from '../live-venue.ts'
import { createBackoff, sleep } from './backoff.ts'
import type { ExchangeCalls } from './calls/exchange-calls.ts'
import { type ClosedBound, closedBound, joinedCandles, pageLimit, readPage } from './candle-pages.ts'
import type { KnownMarkets } from './known-markets.ts'
import type { VenueAsker } from './venue-asker.ts'
import type { VenueClock } from './venue-clock.ts'

const TRIES = 8
/** Pages under way at a time: with one, the round trip would set the pace and not the venue's limit. */
const AHEAD = 4

export interface HistoryDeps {
  readonly exchange: ExchangeCalls
  readonly ask: VenueAsker
  readonly markets: KnownMarkets
  readonly clock: VenueClock
  readonly random: () => number
  /** Told of candles that were refused. */
  readonly warn: (text: string) => void
  /** The first wait after the venue did not answer, ms. */
  readonly firstWaitMs: number
}

/** As many candles as make a page, and the answer for them. */
interface Stretch {
  readonly fromMs: number
  readonly toMs: number
  readonly result: ReturnType<typeof readStretch>
}

/** A range of a series, a page a chunk. See `LiveVenue.history`. */
export async function* readHistory(deps: HistoryDeps, query: HistoryQuery): AsyncGenerator<HistoryChunk> {
  const { clock, markets, exchange } = deps
  const { timeframe } = query
  const ended = new AbortController()
  const signal = query.signal === undefined ? ended.signal : AbortSignal.any([query.signal, ended.signal])
  const patiently = patience(deps, signal, query.onWait)
  const stepMs = TIMEFRAME_MS[timeframe]
  try {
    const { symbol } = await patiently(() => markets.of(query.symbol))
    await clock.measureOnce()
    const bound = closedBound(timeframe, clock.now(), clock.reading())
    const firstMs = Math.max(0, Math.ceil(query.fromMs / stepMs) * stepMs)
    const lastMs = Math.min(bound.lastMs, Math.floor(query.toMs / stepMs) * stepMs)
    const span = pageLimit(exchange, symbol) * stepMs

    const underWay: Stretch[] = []
    let askFromMs = firstMs
    while (askFromMs <= lastMs || underWay.length > 0) {
      while (underWay.length < AHEAD && askFromMs <= lastMs) {
        const fromMs = askFromMs
        const toMs = Math.min(lastMs, fromMs + span - stepMs)
        const result = readStretch(deps, patiently, { symbol, timeframe }, { fromMs, toMs, bound })
        // The reader that waits for the page gets the error; without one it is ignored.
        result.catch(() => {})
        underWay.push({ fromMs, toMs, result })
        askFromMs = toMs + stepMs
      }
      const { toMs, result } = underWay.shift()!
      const { candles, askedMs, refused, laterMs } = await result
      signal.throwIfAborted()
      if (candles.length === 0 && laterMs !== null && laterMs > toMs + span) {
        // Years before a coin was listed: the venue itself says where its candles go on.
        underWay.length = 0
        askFromMs = Math.floor(laterMs / stepMs) * stepMs
      }
      const nextMs = Math.min(underWay[0]?.fromMs ?? askFromMs, lastMs + stepMs)
      const doneRatio = Math.min(1, (nextMs - firstMs) / (lastMs + stepMs - firstMs))
      yield { candles, askedMs, refused, doneRatio, resumeMs: resumeOf(candles, nextMs, bound, lastMs, stepMs) }
    }
  } finally {
    ended.abort()
  }
}

/** The last candle may have been too fresh to take: then that is where to go on. */
function resumeOf(candles: Candles, nextMs: number, bound: ClosedBound, lastMs: number, stepMs: number): number {
  if (nextMs <= lastMs || !bound.fresh || lastMs !== bound.lastMs) return nextMs
  return candles.ts[candles.length - 1] === lastMs ? nextMs : nextMs - stepMs
}

type Patiently = <T>(call: () => Promise<T>) => Promise<T>

/** All closed candles of a stretch; `laterMs` where the venue answered with candles after it. */
async function readStretch(
  deps: HistoryDeps,
  patiently: Patiently,
  series: { symbol: string; timeframe: Timeframe },
  stretch: { fromMs: number; toMs: number; bound: ClosedBound },
) {
  const pages: Candles[] = []
  let refused = 0
  let laterMs: number | null = null
  let askedMs = Number.POSITIVE_INFINITY
  for (let sinceMs = stretch.fromMs; sinceMs <= stretch.toMs; ) {
    const range = { sinceMs, lastMs: stretch.toMs, bound: stretch.bound }
    let page = await patiently(() => readPage(deps, series, range))
    // A page with nonsense in it is worth a second look; what stays is refused.
    if (page.refused > 0) page = await patiently(() => readPage(deps, series, range))
    pages.push(page.candles)
    refused += page.refused
    askedMs = Math.min(askedMs, page.askedMs)
    laterMs = page.laterMs
    sinceMs = page.nextMs
  }
  return { candles: joinedCandles(pages), askedMs, refused, laterMs }
}

/** Tries again while the venue does not answer, and waits for as long as it says that it takes no requests. */
function patience(deps: HistoryDeps, signal: AbortSignal, onWait: HistoryQuery['onWait']): Patiently {
  const wait = (ms: number, why: AppError) => {
    onWait?.(ms, why)
    return sleep(ms, signal)
  }
  return async (call) => {
    const backoff = createBackoff({ firstMs: deps.firstWaitMs, maxMs: 30_000, random: deps.random })
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'venue_rate_limited') await wait((error.retryAfterS ?? 1) * 1000 + 5, error)
        else if (error.code === 'venue_unreachable' && tries < TRIES) await wait(backoff.next(), error)
        else throw error
      }
    }
  }
}

import { AppError } from '@shapecast/contracts/errors'
import { indicators } from '@shapecast/contracts/indicators'
import {
  downloadCandles,
  downloadJob,
  type Health,
  health,
  importCandles,
  Market,
  markets,
  ohlcv,
  seriesList,
  Ticker,
  ticker,
} from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { rowsFromCandles } from '@shapecast/engine/candles'
import type { Database } from '@shapecast/platform/database/database'
import { createHeartbeat } from '@shapecast/platform/database/heartbeat'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import { type PreparedReply, SharedReply } from '@shapecast/platform/http/shared-reply'
import type { Venue } from '@shapecast/venues/venue'
import { z } from 'zod'
import type { DownloadService } from './download-service.ts'
import { importFile } from './import-file.ts'
import { indicatorsAtEnd } from './indicators.ts'
import { cacheControlOf, createKeptReplies, MARKETS_KEPT_S, OHLCV_KEPT_S, PRICE_KEPT_S } from './kept-replies.ts'
import { liveMarketOf } from './live-market.ts'
import { withUpload } from './receive-upload.ts'
import { seriesOfVenue, shownSeries } from './series-store.ts'

export interface MarketRoutesDeps {
  readonly db: Database
  readonly venue: Venue
  readonly testnet: boolean
  readonly downloads: Pick<DownloadService, 'request' | 'read'>
  readonly now?: (() => number) | undefined
  /** What the feed says of itself; null where none runs. Without it, what the venue of this process says. */
  readonly feed?: FeedView | undefined
  /** Largest file that may be uploaded; 512 MB where it is left out. */
  readonly maxUploadBytes?: number | undefined
}

/** What is needed of the feed, in whatever process it runs. */
export interface FeedView {
  status(): {
    readonly lagMs: number | null
    readonly skewMs: number | null
    readonly atMs: number
    readonly websocket: Health['websocket']
  } | null
  /** Notes that somebody looks at a series. */
  use(symbol: string, timeframe: Timeframe | null): void
  /** Calls back at every closed candle. */
  onClosed(listener: (symbol: string, timeframe: Timeframe) => void): void
}

/** Who asks within a second of somebody else gets the same reply; a closed candle ends that at once. */
const KEPT_MS = 1_000
const MAX_UPLOAD_BYTES = 512 * 1024 ** 2

/** Health, markets, ticker, candles and their import. */
export function registerMarketRoutes(app: ServiceApp, deps: MarketRoutesDeps): void {
  const { db, venue, testnet } = deps
  const now = deps.now ?? Date.now

  const requireAlive = createHeartbeat(db)
  const shownHealth = (status: Health['status'], marketTime: number | null): Health => {
    const feed = deps.feed?.status() ?? null
    const clock = liveMarketOf(venue)?.source.clockReading() ?? null
    return {
      status,
      testnet,
      venue: venue.name,
      market: venue.kind,
      marketTime,
      marketSpeed: venue.speed ?? 1,
      websocket: feed?.websocket ?? { public: false, private: false },
      feedLagMs: feed === null || feed.lagMs === null ? null : feed.lagMs + Math.max(0, now() - feed.atMs),
      clockSkewMs: feed?.skewMs ?? clock?.skewMs ?? null,
    }
  }
  registerEndpoint(app, health, async () => {
    await requireAlive(() => shownHealth('error', null))
    return shownHealth('ok', await venue.now())
  })

  const replies = createKeptReplies(now)
  const candlesKey = (symbol: string, timeframe: Timeframe) => `ohlcv ${symbol} ${timeframe} `
  deps.feed?.onClosed((symbol, timeframe) => replies.forget(candlesKey(symbol, timeframe)))

  registerEndpoint(app, markets, ({ viaPublicPath, reply }) => {
    const ready = replies.get('markets', now() + KEPT_MS, async () => z.array(Market).parse(await venue.markets()))
    const fetchedAtMs = liveMarketOf(venue)?.marketsFetchedAtMs() ?? null
    if (fetchedAtMs !== null) reply.header('last-modified', new Date(fetchedAtMs).toUTCString())
    return shared(ready, cacheControlOf(viaPublicPath, MARKETS_KEPT_S))
  })

  registerEndpoint(app, ticker, ({ params: { symbol }, viaPublicPath }) => {
    const load = async () => Ticker.parse(await venue.ticker(symbol))
    const ready = replies.get(`ticker ${symbol}`, now() + KEPT_MS, load)
    return shared(ready, cacheControlOf(viaPublicPath, PRICE_KEPT_S), () => deps.feed?.use(symbol, null))
  })

  registerEndpoint(app, ohlcv, ({ params: { symbol }, query, viaPublicPath }) => {
    const { timeframe, limit, before } = query
    const step = TIMEFRAME_MS[timeframe]
    const nextClose = (Math.floor(now() / step) + 1) * step
    const ready = replies.get(
      `${candlesKey(symbol, timeframe)}${limit} ${before ?? ''}`,
      Math.min(now() + KEPT_MS, nextClose),
      async () => rowsFromCandles(await venue.candles(symbol, timeframe, { limit, beforeMs: before })),
    )
    const control = cacheControlOf(viaPublicPath, OHLCV_KEPT_S[timeframe])
    return shared(ready, control, () => deps.feed?.use(symbol, timeframe))
  })

  registerEndpoint(app, indicators, async ({ body: { symbol, timeframe, limit } }) =>
    indicatorsAtEnd(await venue.candles(symbol, timeframe, { limit })),
  )

  registerEndpoint(app, downloadCandles, async ({ body, caller }) => ({
    jobId: await deps.downloads.request(body, caller),
  }))
  registerEndpoint(app, downloadJob, ({ params, caller }) => deps.downloads.read(params.id, caller))

  registerEndpoint(app, seriesList, async () => (await seriesOfVenue(db.orm, venue.name)).map(shownSeries))

  registerEndpoint(app, importCandles, async ({ query, caller, request }) => {
    if (query.venue === 'simulated')
      throw new AppError('bad_input', 'The simulated market computes its candles: import under another venue.', {
        field: 'venue',
      })
    const report = await withUpload(request, deps.maxUploadBytes ?? MAX_UPLOAD_BYTES, (upload) =>
      importFile({ db, now }, { ...query, ...upload, by: caller }),
    )
    replies.forget('')
    return report
  })
}

/** At once where the reply is kept: a promise costs more than all that is left to do. */
function shared(ready: PreparedReply | Promise<PreparedReply>, control: string, served?: () => void) {
  const use = (prepared: PreparedReply) => {
    served?.()
    return new SharedReply(prepared, control)
  }
  return ready instanceof Promise ? ready.then(use) : use(ready)
}

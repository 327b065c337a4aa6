import type { Candidate } from '@shapecast/platform/database/lead'
import { seriesOfAlerts } from './alerts/watch-alerts.ts'
import { seriesOfBots } from './bots/bot-store.ts'
import { createRecordStore } from './forecasts/record/record-store.ts'
import { SEALED_STAGES } from './forecasts/record/seal-window.ts'
import { createCache } from './ground/cache.ts'
import { createCloseNotifier } from './market/closes/close-notifier.ts'
import { startFeed } from './market/feed/feed.ts'
import type { FollowTiming } from './market/feed/follow-series.ts'
import { createSeriesUse, type Followed } from './market/feed/series-use.ts'
import { liveMarketOf } from './market/live-market.ts'
import { createModelStore } from './models/model-store.ts'
import { createWaitingOrderStore } from './orders/paper/waiting-order-store.ts'
import type { Parts } from './parts.ts'

/** What the dashboard shows. */
const ALWAYS: Followed = { symbol: 'BTCUSDT', timeframe: '1h' }
/** Orders that wait are held against candles of this timeframe. */
const ORDER_TIMEFRAME = '1m'
/** What is in use is looked up once for so long. */
const KEPT_MS = 5_000

export interface FeedOptions {
  timing?: FollowTiming
  tryEveryMs?: number
}

/** Lets this process stand for the market's feed: one of all processes follows the market, for everybody. */
export function startTradingFeed(
  { db, venue, queue, log, now }: Pick<Parts, 'db' | 'venue' | 'queue' | 'log' | 'now'>,
  options: FeedOptions = {},
): Candidate {
  const market = liveMarketOf(venue)
  const models = createModelStore(db.orm, venue.name)
  const record = createRecordStore(db.orm, venue.name)
  const waiting = createWaitingOrderStore(venue.name)
  const use = createSeriesUse({ orm: db.orm, venue: venue.name, log, now })
  const kept = createCache<Followed[]>({ max: 1, ttl: { ms: KEPT_MS, now } })
  const seriesInUse = () =>
    kept.get('in use', async () => {
      const { orm } = db
      return (
        await Promise.all([seriesOfBots(orm, venue.name), models.activeSeries(SEALED_STAGES), record.series()])
      ).flat()
    })
  const closes = createCloseNotifier({
    venue: venue.name,
    queue,
    isInUse: async (symbol, timeframe) =>
      (await seriesInUse()).some((one) => one.symbol === symbol && one.timeframe === timeframe),
    log,
  })
  const feed = startFeed({
    db,
    venue,
    live: market === null ? null : { source: market.source, store: market.book },
    wanted: {
      /** What the dashboard shows, what bots and models decide by, and orders that wait. */
      async lasting() {
        const [symbols, watched] = await Promise.all([waiting.symbols(db.orm), seriesOfAlerts(db.orm, venue.name)])
        return [
          ALWAYS,
          ...(await seriesInUse()),
          ...watched,
          ...symbols.map((symbol) => ({ symbol, timeframe: ORDER_TIMEFRAME }) as const),
        ]
      },
      used: use.list,
    },
    closed: closes.closed,
    log,
    now,
    ...options,
  })
  return {
    leads: feed.leads,
    async stop() {
      closes.stop()
      await feed.stop()
    },
  }
}

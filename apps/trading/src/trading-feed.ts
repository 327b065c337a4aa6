import { startFeed } from './features/feed/feed.ts'
import type { FollowTiming } from './features/feed/follow-series.ts'
import type { Wanted } from './features/feed/followed-set.ts'
import type { Candidate } from './features/feed/leader-lock.ts'
import { createSeriesUse, type Followed } from './features/feed/series-use.ts'
import { liveMarketOf } from './features/market/live-market.ts'
import { createRooms, type RoomDeps } from './rooms.ts'

/** What the dashboard shows. */
const ALWAYS: Followed = { symbol: 'BTCUSDT', timeframe: '1h' }
/** Orders that wait are held against candles of this timeframe. */
const ORDER_TIMEFRAME = '1m'
/** Bots decide on candles of this timeframe. */
const BOT_TIMEFRAME = '1h'
const LASTING_KEPT_MS = 15_000

/** Lets this process stand for the market's feed: one of all processes follows the market, for everybody. */
export function startTradingFeed(
  deps: RoomDeps,
  options: { timing?: FollowTiming; tryEveryMs?: number } = {},
): Candidate {
  const { db, venue, log, now = Date.now } = deps
  const market = liveMarketOf(venue)
  return startFeed({
    db,
    venue,
    live: market === null ? null : { source: market.source, store: market.book },
    wanted: wantedOf(deps),
    log,
    now,
    ...options,
  })
}

/** Dashboard, active bots, models in use and orders that wait always, then what people look at. */
function wantedOf(deps: RoomDeps): Wanted {
  const { db, venue, log, now = Date.now } = deps
  const { models, bots, accounts } = createRooms(deps)
  const use = createSeriesUse({ orm: db.orm, venue: venue.name, log, now })
  let kept: { atMs: number; series: Followed[] } | null = null

  async function lasting(): Promise<Followed[]> {
    const everyBot = await bots.list({ userId: '', role: 'admin' })
    const ofBots = everyBot
      .filter((bot) => bot.status === 'active')
      .flatMap((bot) => bot.tradingPairs.map((symbol) => ({ symbol, timeframe: BOT_TIMEFRAME }) as const))
    const ofModels = (await models.list()).models
      .filter((model) => model.stage !== 'archived')
      .flatMap((model) => model.artifacts.map(({ symbol, timeframe }) => ({ symbol, timeframe })))
    const ofOrders = (await accounts.watchedSymbols()).map(
      (symbol) => ({ symbol, timeframe: ORDER_TIMEFRAME }) as const,
    )
    return [ALWAYS, ...ofBots, ...ofModels, ...ofOrders]
  }

  return {
    async lasting() {
      if (kept === null || now() - kept.atMs > LASTING_KEPT_MS) kept = { atMs: now(), series: await lasting() }
      return kept.series
    },
    used: use.list,
  }
}

import type { Ticker } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Led } from '@shapecast/platform/database/lead'
import type { Logger } from '@shapecast/platform/logging'
import { repeatWork } from '@shapecast/platform/regular-work'
import type { LiveVenue } from '@shapecast/venues/live-venue'
import { FOLLOW_TIMING, type FollowTiming, followSeries, type SeriesStore, withinASecond } from './follow-series.ts'
import { type FeedBasis, followedSet, reconcile } from './followed-set.ts'

/** How often the price is asked for where it does not come by itself, ms. */
const POLL_MS = 5_000
/** A stream of prices that says nothing for so long is asked beside. */
const SILENT_MS = 30_000

/** Announces the price of one symbol: by stream where the venue has one, else by asking every few seconds. */
function followTicker(
  deps: {
    source: Pick<LiveVenue, 'subscribeTicker' | 'ticker' | 'streams'>
    announce: (ticker: Ticker) => void
    log: Logger
    nowMs: () => number
  },
  symbol: string,
): { stop(): void } {
  const { source, announce, log, nowMs } = deps
  let heardAtMs = Number.NEGATIVE_INFINITY
  let asking = false
  let stopped = false
  const take = (ticker: Ticker) => {
    heardAtMs = nowMs()
    if (!stopped) announce(ticker)
  }
  const unsubscribe = source.streams.ticker ? source.subscribeTicker(symbol, take) : () => {}

  async function poll(): Promise<void> {
    if (asking || (source.streams.ticker && nowMs() - heardAtMs < SILENT_MS)) return
    asking = true
    try {
      take(await source.ticker(symbol))
    } catch (error) {
      log.debug({ err: error, symbol }, 'no price')
    } finally {
      asking = false
    }
  }
  const timer = setInterval(() => void poll(), POLL_MS)
  void poll()
  return {
    stop() {
      stopped = true
      clearInterval(timer)
      unsubscribe()
    },
  }
}

/** An exchange, and where its candles are kept. */
export interface LiveSource {
  readonly source: LiveVenue
  readonly store: SeriesStore
}

const RECONCILE_MS = 2_000
const STATUS_MS = 2_000
const CLOCK_MS = 60_000
/** Above this a person should look at the machine's clock. */
const WORRYING_SKEW_MS = 2_000

/** Follows an exchange: the candles and prices of every series that is wanted, its clock, and how far all that lags. */
export function startLiveFeed(deps: FeedBasis & LiveSource & { timing?: FollowTiming | undefined }): Led {
  const { source, store, announcer, log, now, timing = FOLLOW_TIMING } = deps
  const series = new Map<string, Led>()
  const tickers = new Map<string, { stop(): void }>()
  let heardAtMs: number | null = null
  let stopped = false
  const heard = () => {
    heardAtMs = now()
  }

  async function follow(): Promise<void> {
    const set = await followedSet(deps.wanted, deps.venue)
    if (stopped) return
    const candles = new Set([...set].flatMap(([key, one]) => (one.timeframe === null ? [] : [key])))
    reconcile(series, candles, (key) => {
      const { symbol, timeframe } = set.get(key) as { symbol: string; timeframe: Timeframe }
      const announce: Parameters<typeof followSeries>[0]['announce'] = (c, closed) =>
        announcer.announce({
          t: 'candle',
          venue: source.name,
          symbol,
          timeframe,
          row: [c.ts, c.open, c.high, c.low, c.close, c.volume],
          closed,
        })
      return followSeries(
        { source, store, announce, closed: deps.closed, heard, log, timing, nowMs: now },
        symbol,
        timeframe,
      )
    })
    reconcile(tickers, new Set([...set.values()].map((one) => one.symbol)), (symbol) =>
      followTicker(
        {
          source,
          announce: (ticker) => {
            heard()
            announcer.announce({ t: 'ticker', venue: source.name, ticker })
          },
          log,
          nowMs: now,
        },
        symbol,
      ),
    )
  }

  async function reportStatus(): Promise<void> {
    announcer.announce({
      t: 'status',
      venue: source.name,
      atMs: now(),
      lagMs: heardAtMs === null ? null : Math.max(0, now() - heardAtMs),
      skewMs: source.clockReading()?.skewMs ?? null,
      websocket: source.websocket(),
    })
  }

  async function readClock(): Promise<void> {
    const { skewMs, uncertaintyMs } = await source.measureClock()
    if (Math.abs(skewMs) - uncertaintyMs > WORRYING_SKEW_MS)
      log.warn({ skewMs, uncertaintyMs }, `the clocks of this machine and ${source.name} differ; set this one right`)
  }

  const regular = [
    repeatWork(log, RECONCILE_MS, 'looking up which series are wanted', follow),
    repeatWork(log, STATUS_MS, 'reporting how the feed is', reportStatus),
    repeatWork(log, CLOCK_MS, 'reading the clock of the venue', readClock),
  ]

  return {
    async stop() {
      stopped = true
      const ending = regular.map((work) => work.stop())
      for (const one of tickers.values()) one.stop()
      await Promise.all([...series.values()].map((one) => one.stop()))
      await withinASecond(Promise.all(ending))
    },
  }
}

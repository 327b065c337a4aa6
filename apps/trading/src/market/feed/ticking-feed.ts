import type { CandleRow } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, rowsFromCandles } from '@shapecast/engine/candles'
import type { Led } from '@shapecast/platform/database/lead'
import { repeatWork } from '@shapecast/platform/regular-work'
import type { Venue } from '@shapecast/venues/venue'
import { type FeedBasis, followedSet } from './followed-set.ts'
import type { Followed } from './series-use.ts'

const TICK_MS = 1_000
const RECONCILE_MS = 2_000
/** A replay may pass many candles in a tick; callers that want all of them read them. */
const MOST_CLOSED = 200

/**
 * Lets the simulated market and the replay tick: what their clock has brought since the last second is announced as an
 * exchange's would be. Nothing is stored; they know their candles themselves.
 */
export function startTickingFeed(deps: FeedBasis & { tickMs?: number }): Led {
  const { venue, announcer, log, now, tickMs = TICK_MS } = deps
  let followed: Followed[] = []
  let followedAtMs = Number.NEGATIVE_INFINITY
  /** The last that was announced of each series or price. */
  const closedTo = new Map<string, number>()
  const said = new Map<string, string>()

  async function follow(): Promise<void> {
    if (now() - followedAtMs < RECONCILE_MS) return
    followedAtMs = now()
    followed = [...(await followedSet(deps.wanted, venue)).values()]
  }

  async function tickCandles(symbol: string, timeframe: Timeframe): Promise<void> {
    const key = `${symbol} ${timeframe}`
    const from = closedTo.get(key)
    const query = from === undefined ? { limit: 1 } : { fromMs: from + TIMEFRAME_MS[timeframe], limit: MOST_CLOSED }
    const closed = rowsFromCandles(await venue.candles(symbol, timeframe, query))
    const last = closed.at(-1)?.[0] ?? from
    if (last === undefined) return
    closedTo.set(key, last)
    if (last !== from) deps.closed(symbol, timeframe, last)
    // The first look finds the candle that everybody has read already.
    if (from !== undefined) for (const row of closed) announceCandle(symbol, timeframe, row, true)
    const open = await openCandle(venue, symbol, timeframe, last + TIMEFRAME_MS[timeframe])
    if (open !== null && said.get(key) !== String(open)) {
      said.set(key, String(open))
      announceCandle(symbol, timeframe, open, false)
    }
  }

  const announceCandle = (symbol: string, timeframe: Timeframe, row: CandleRow, closed: boolean) =>
    announcer.announce({ t: 'candle', venue: venue.name, symbol, timeframe, row, closed })

  async function tick(): Promise<void> {
    await follow()
    for (const { symbol, timeframe } of followed) if (timeframe !== null) await tickCandles(symbol, timeframe)
    for (const symbol of new Set(followed.map((one) => one.symbol))) {
      const ticker = await venue.ticker(symbol)
      const text = `${ticker.last} ${ticker.timestamp}`
      if (said.get(symbol) === text) continue
      said.set(symbol, text)
      announcer.announce({ t: 'ticker', venue: venue.name, ticker })
    }
    const status = { t: 'status' as const, venue: venue.name, atMs: now(), lagMs: 0, skewMs: null }
    announcer.announce({ ...status, websocket: { public: true, private: false } })
  }

  return repeatWork(log, tickMs, `a tick of the ${venue.name} market`, tick)
}

/** The candle that forms from `openMs` on, where the venue can say; else what its closed smaller candles say. */
async function openCandle(
  venue: Venue,
  symbol: string,
  timeframe: Timeframe,
  openMs: number,
): Promise<CandleRow | null> {
  if (venue.openCandle !== undefined) return rowsFromCandles(await venue.openCandle(symbol, timeframe))[0] ?? null
  for (const smaller of TIMEFRAMES.slice(0, TIMEFRAMES.indexOf(timeframe))) {
    const range = { fromMs: openMs, toMs: openMs + TIMEFRAME_MS[timeframe] - 1 }
    const parts = await venue.candles(symbol, smaller, range)
    if (parts.length > 0) return joined(parts, openMs)
  }
  return null
}

const joined = ({ open, high, low, close, volume }: Candles, openMs: number): CandleRow => [
  openMs,
  open[0]!,
  high.reduce((a, b) => Math.max(a, b)),
  low.reduce((a, b) => Math.min(a, b)),
  close.at(-1)!,
  volume.reduce((a, b) => a + b),
]

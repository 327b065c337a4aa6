import { setTimeout as wait } from 'node:timers/promises'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Led } from '@shapecast/platform/database/lead'
import type { Logger } from '@shapecast/platform/logging'
import type { HeardCandle, LiveCandle, LiveVenue, StreamState } from '@shapecast/venues/live-venue'
import { lastClosedOpen } from '@shapecast/venues/venue'
import type { LiveMarket } from '../live-market.ts'
import type { Closed } from './followed-set.ts'

/**
 * Waits for what is under way, but not longer than a second: a call to a venue that hangs must not keep the lead from
 * going over. Whatever it writes later, it writes the same as its successor.
 */
export const withinASecond = async (work: Promise<unknown> | null): Promise<void> =>
  void (await Promise.race([work, wait(1_000, undefined, { ref: false })]))

/** Where a followed series is kept: the stored candles of the venue. */
export type SeriesStore = LiveMarket['book']

/** All in ms. Tests shorten them. */
export interface FollowTiming {
  /** A candle that has ended and has not come by stream within this is asked for. */
  readonly overdueMs: number
  /** A stream that says nothing for so long counts as dropped. */
  readonly silentMs: number
  /** First wait after a failure; it doubles up to `retryMostMs`. */
  readonly retryMs: number
  readonly retryMostMs: number
  /** How often all this is looked at. */
  readonly lookMs: number
}
export const FOLLOW_TIMING: FollowTiming = {
  overdueMs: 8_000,
  silentMs: 90_000,
  retryMs: 1_000,
  retryMostMs: 30_000,
  lookMs: 1_000,
}

export interface FollowDeps {
  readonly source: Pick<LiveVenue, 'subscribeCandles' | 'streams' | 'clock'>
  readonly store: SeriesStore
  /** A candle as it forms, and once it is stored and will not change. */
  readonly announce: (candle: LiveCandle, closed: boolean) => void
  readonly closed: Closed
  /** Called at every message of the venue. */
  readonly heard: () => void
  readonly log: Logger
  readonly timing: FollowTiming
  /** Our own clock, ms; monotonic is enough. */
  readonly nowMs: () => number
}

/** A series without any candle begins with so many. */
const FIRST_CANDLES = 1_000
/** How far back holes are looked for: a process may have died between the newest candle and those before it. */
const LOOK_BACK = 1_500
/** So many candles from before a connection was lost are read again after it, with those that came meanwhile. */
const REREAD = 300
const MOST_REREAD = 10_000
/** After a long rest the newest so many are fetched; older ones when somebody asks for them. */
const MOST_BACKFILLED = 100_000
/** Candles that wait for the ones before them; past that they are stored, and the hole is filled after. */
const MOST_HELD = 1_000
const MOST_ANNOUNCED = 100

/** A series that is followed: what is known of it, and where it is. */
interface Following extends FollowDeps {
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly step: number
  readonly ended: AbortController
  /** Closed candles that are not stored yet. */
  held: HeardCandle[]
  /** Open time of the newest candle before which nothing is missing; null until the first look. */
  completeTo: number | null
  /** The newest candle that was told as closed. */
  closedTo: number | null
  wantsBackfill: boolean
  /** Nobody listened for a while: what is stored may have been revised meanwhile. */
  mayBeRevised: boolean
  /** Open time of the newest candle that was there when the stream was last listened to; null before. */
  listenedTo: number | null
  connected: boolean
  heardAtMs: number
  notBeforeMs: number
  waitMs: number
  quietUntilMs: number
  quietMs: number
  working: Promise<void> | null
  unsubscribe: () => void
}

/**
 * Keeps the stored candles of one series complete and new. Closed candles come by stream where the venue has one; after
 * every (re)connection, where one does not come in time, and where the venue has no stream, what is missing is fetched,
 * from the last stored one on. Candles that come by stream meanwhile wait, so that what is stored has no hole behind it.
 */
export function followSeries(deps: FollowDeps, symbol: string, timeframe: Timeframe): Led {
  const { timing } = deps
  const series: Following = {
    ...deps,
    symbol,
    timeframe,
    step: TIMEFRAME_MS[timeframe],
    ended: new AbortController(),
    held: [],
    completeTo: null,
    closedTo: null,
    wantsBackfill: true,
    mayBeRevised: true,
    listenedTo: null,
    connected: false,
    heardAtMs: deps.nowMs(),
    notBeforeMs: Number.NEGATIVE_INFINITY,
    waitMs: timing.retryMs,
    quietUntilMs: Number.NEGATIVE_INFINITY,
    quietMs: timing.retryMs,
    working: null,
    unsubscribe: () => undefined,
  }
  if (deps.source.streams.candles) series.unsubscribe = subscribe(series)
  const timer = setInterval(() => look(series), timing.lookMs)
  work(series)

  return {
    async stop() {
      series.ended.abort(new Error('The feed is being stopped.'))
      clearInterval(timer)
      series.unsubscribe()
      await withinASecond(series.working)
    },
  }
}

function subscribe(series: Following): () => void {
  const { source, nowMs, symbol, timeframe } = series
  series.heardAtMs = nowMs()
  return source.subscribeCandles(symbol, timeframe, onCandle.bind(null, series), onState.bind(null, series))
}

function onState(series: Following, state: StreamState): void {
  const { nowMs } = series
  series.heardAtMs = nowMs()
  series.connected = state === 'connected'
  if (!series.connected) return
  series.wantsBackfill = true
  series.mayBeRevised = true
  work(series)
}

function onCandle(series: Following, candle: LiveCandle, closed: boolean, heardMs: number): void {
  const { nowMs, step } = series
  if (series.ended.signal.aborted) return
  series.heardAtMs = nowMs()
  series.heard()
  if (!closed) {
    series.announce(candle, false)
    return
  }
  series.held.push({ candle, heardMs })
  if (series.completeTo !== null && candle.ts > series.completeTo + step)
    series.wantsBackfill ||= !series.held.some((one) => one.candle.ts === candle.ts - step)
  work(series)
}

function look(series: Following): void {
  const { source, timing, nowMs, timeframe } = series
  const now = nowMs()
  if (source.streams.candles && series.connected && now - series.heardAtMs > timing.silentMs) {
    series.connected = false
    series.unsubscribe()
    series.unsubscribe = subscribe(series)
    series.wantsBackfill = true
  }
  const due = lastClosedOpen(timeframe, source.clock() - (source.streams.candles ? timing.overdueMs : 0))
  const isLate = (series.completeTo === null || series.completeTo < due) && now >= series.quietUntilMs
  if (isLate && series.held.length === 0) series.wantsBackfill = true
  if (series.wantsBackfill || series.held.length > 0) work(series)
}

/** One piece of work at a time. */
function work(series: Following): void {
  const { log, timing, nowMs, symbol, timeframe } = series
  if (series.working !== null || series.ended.signal.aborted || nowMs() < series.notBeforeMs) return
  series.working = turn(series)
    .then(
      () => {
        series.waitMs = timing.retryMs
      },
      (error: unknown) => {
        if (series.ended.signal.aborted) return
        log.warn({ err: error, symbol, timeframe }, 'candles could not be brought up to date')
        const asked = (error as { retryAfterS?: number }).retryAfterS
        const wait = asked === undefined ? series.waitMs : Math.max(series.waitMs, asked * 1000)
        series.notBeforeMs = nowMs() + wait
        series.waitMs = Math.min(series.waitMs * 2, timing.retryMostMs)
      },
    )
    .finally(() => {
      series.working = null
      if (!series.wantsBackfill && series.held.length > 0) work(series)
    })
}

async function turn(series: Following): Promise<void> {
  if (series.wantsBackfill) {
    series.wantsBackfill = false
    try {
      await backfill(series)
    } catch (error) {
      series.wantsBackfill = true
      if (series.held.length > MOST_HELD) await storeHeld(series)
      throw error
    }
  }
  while (series.held.length > 0 && !series.wantsBackfill && !series.ended.signal.aborted) await storeHeld(series)
}

async function backfill(series: Following): Promise<void> {
  const { source, store, timing, nowMs, symbol, timeframe, step } = series
  const last = await store.lastTs(symbol, timeframe)
  const toMs = lastClosedOpen(timeframe, source.clock())
  const wanted =
    last === null
      ? toMs - (FIRST_CANDLES - 1) * step
      : Math.max(last - LOOK_BACK * step, toMs - (MOST_BACKFILLED - 1) * step)
  const before = series.completeTo ?? last
  const isReread = series.mayBeRevised
  // Put down before the venue is asked: a connection that is lost meanwhile raises it again.
  series.mayBeRevised = false
  if (wanted <= toMs) {
    const againFromMs =
      isReread && last !== null
        ? Math.max(last - MOST_REREAD * step, (series.listenedTo ?? last) - REREAD * step)
        : undefined
    const range = { fromMs: Math.max(0, wanted), toMs }
    try {
      await store.fill(symbol, timeframe, range, { signal: series.ended.signal, againFromMs })
    } catch (error) {
      series.mayBeRevised ||= isReread
      throw error
    }
  }
  series.completeTo = await store.lastTs(symbol, timeframe)
  noteComplete(series)
  // The venue's history may be a moment behind its clock, and where nobody trades there are no candles at all.
  if (series.completeTo !== null && series.completeTo < toMs) {
    series.quietUntilMs = nowMs() + series.quietMs
    series.quietMs = Math.min(series.quietMs * 2, timing.retryMostMs)
  } else series.quietMs = timing.retryMs
  if (series.completeTo !== null && before !== null && series.completeTo > before) {
    const news = await store.since(
      symbol,
      timeframe,
      Math.max(before + step, series.completeTo - MOST_ANNOUNCED * step),
    )
    for (const candle of news) series.announce(candle, true)
  }
}

async function storeHeld(series: Following): Promise<void> {
  const { store, symbol, timeframe, step } = series
  const batch = series.held
  series.held = []
  let told: ReadonlySet<number>
  try {
    const { revised, outdated } = await store.write(symbol, timeframe, batch)
    told = new Set([...revised, ...outdated])
  } catch (error) {
    series.held = [...batch, ...series.held]
    throw error
  }
  for (const { candle } of batch.toSorted((a, b) => a.candle.ts - b.candle.ts)) {
    if (series.completeTo === null || candle.ts === series.completeTo + step) series.completeTo = candle.ts
    else if (candle.ts > series.completeTo) series.wantsBackfill = true
    if (!told.has(candle.ts)) series.announce(candle, true)
  }
  noteComplete(series)
}

function noteComplete(series: Following): void {
  const { symbol, timeframe } = series
  if (series.completeTo !== null && series.completeTo !== series.closedTo) {
    series.closedTo = series.completeTo
    series.closed(symbol, timeframe, series.completeTo)
  }
  // What came without a stream may be revised before there is one: it is read again then, however much it is.
  if (series.connected && !series.mayBeRevised) series.listenedTo = series.completeTo
}

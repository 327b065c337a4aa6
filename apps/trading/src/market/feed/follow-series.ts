import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Logger } from '@shapecast/platform/logging'
import type { HeardCandle, LiveCandle, LiveVenue, StreamState } from '@shapecast/venues/live-venue'
import { lastClosedOpen } from '@shapecast/venues/venue'
import type { Closed } from './followed-set.ts'
import { withinASecond } from './within-a-second.ts'

/** Where a followed series is kept: the stored candles of the venue. */
export interface SeriesStore {
  /** Open time of the newest stored candle, ms; null where there is none. */
  lastTs(symbol: string, timeframe: Timeframe): Promise<number | null>
  /** Stores closed candles, however often they come; those heard before what is stored are left out. */
  write(symbol: string, timeframe: Timeframe, candles: readonly HeardCandle[]): Promise<WrittenNews>
  /**
   * Fetches what is missing of a range of open times from the venue and stores it; from `againFromMs` on also what is
   * stored, since the venue may have revised it.
   */
  fill(
    symbol: string,
    timeframe: Timeframe,
    range: { fromMs: number; toMs: number },
    options: { signal: AbortSignal; againFromMs?: number | undefined },
  ): Promise<number>
  /** Stored candles from an open time on, oldest first. */
  since(symbol: string, timeframe: Timeframe, fromMs: number): Promise<LiveCandle[]>
}

/** Open times of candles that were stored with other values: overwritten and announced by the store, or newer. */
export interface WrittenNews {
  readonly revised: readonly number[]
  readonly outdated: readonly number[]
}

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

/** What has happened to a series, counted since it is followed. */
export interface SeriesFaults {
  disconnects: number
  silences: number
  overdue: number
  backfilled: number
  revised: number
  failures: number
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

export interface FollowedSeries {
  readonly faults: Readonly<SeriesFaults>
  stop(): Promise<void>
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

/**
 * Keeps the stored candles of one series complete and new. Closed candles come by stream where the venue has one; after
 * every (re)connection, where one does not come in time, and where the venue has no stream, what is missing is fetched,
 * from the last stored one on. Candles that come by stream meanwhile wait, so that what is stored has no hole behind it.
 */
export function followSeries(deps: FollowDeps, symbol: string, timeframe: Timeframe): FollowedSeries {
  const { source, store, log, timing, nowMs } = deps
  const step = TIMEFRAME_MS[timeframe]
  const ended = new AbortController()
  const faults: SeriesFaults = { disconnects: 0, silences: 0, overdue: 0, backfilled: 0, revised: 0, failures: 0 }
  /** Closed candles that are not stored yet. */
  let held: HeardCandle[] = []
  /** Open time of the newest candle before which nothing is missing; null until the first look. */
  let completeTo: number | null = null
  /** The newest candle that was told as closed. */
  let closedTo: number | null = null
  let wantsBackfill = true
  /** Nobody listened for a while: what is stored may have been revised meanwhile. */
  let mayBeRevised = true
  /** Open time of the newest candle that was there when the stream was last listened to; null before. */
  let listenedTo: number | null = null
  let connected = false
  let heardAtMs = nowMs()
  let notBeforeMs = Number.NEGATIVE_INFINITY
  let waitMs = timing.retryMs
  let quietUntilMs = Number.NEGATIVE_INFINITY
  let quietMs = timing.retryMs
  let working: Promise<void> | null = null
  let unsubscribe = source.streams.candles ? subscribe() : () => {}

  function subscribe(): () => void {
    heardAtMs = nowMs()
    return source.subscribeCandles(symbol, timeframe, onCandle, onState)
  }

  function onState(state: StreamState): void {
    heardAtMs = nowMs()
    if (connected && state === 'disconnected') faults.disconnects++
    connected = state === 'connected'
    if (!connected) return
    wantsBackfill = true
    mayBeRevised = true
    work()
  }

  function onCandle(candle: LiveCandle, closed: boolean, heardMs: number): void {
    if (ended.signal.aborted) return
    heardAtMs = nowMs()
    deps.heard()
    if (!closed) {
      deps.announce(candle, false)
      return
    }
    held.push({ candle, heardMs })
    if (completeTo !== null && candle.ts > completeTo + step)
      wantsBackfill ||= !held.some((one) => one.candle.ts === candle.ts - step)
    work()
  }

  function look(): void {
    const now = nowMs()
    if (source.streams.candles && connected && now - heardAtMs > timing.silentMs) {
      faults.silences++
      connected = false
      unsubscribe()
      unsubscribe = subscribe()
      wantsBackfill = true
    }
    const due = lastClosedOpen(timeframe, source.clock() - (source.streams.candles ? timing.overdueMs : 0))
    const isLate = (completeTo === null || completeTo < due) && now >= quietUntilMs
    if (isLate && !wantsBackfill && held.length === 0) {
      faults.overdue++
      wantsBackfill = true
    }
    if (wantsBackfill || held.length > 0) work()
  }

  /** One piece of work at a time. */
  function work(): void {
    if (working !== null || ended.signal.aborted || nowMs() < notBeforeMs) return
    working = turn()
      .then(
        () => {
          waitMs = timing.retryMs
        },
        (error: unknown) => {
          if (ended.signal.aborted) return
          faults.failures++
          log.warn({ err: error, symbol, timeframe }, 'candles could not be brought up to date')
          const asked = (error as { retryAfterS?: number }).retryAfterS
          const wait = asked === undefined ? waitMs : Math.max(waitMs, asked * 1000)
          notBeforeMs = nowMs() + wait
          waitMs = Math.min(waitMs * 2, timing.retryMostMs)
        },
      )
      .finally(() => {
        working = null
        if (!wantsBackfill && held.length > 0) work()
      })
  }

  async function turn(): Promise<void> {
    if (wantsBackfill) {
      wantsBackfill = false
      try {
        await backfill()
      } catch (error) {
        wantsBackfill = true
        if (held.length > MOST_HELD) await storeHeld()
        throw error
      }
    }
    while (held.length > 0 && !wantsBackfill && !ended.signal.aborted) await storeHeld()
  }

  async function backfill(): Promise<void> {
    const last = await store.lastTs(symbol, timeframe)
    const toMs = lastClosedOpen(timeframe, source.clock())
    const wanted =
      last === null
        ? toMs - (FIRST_CANDLES - 1) * step
        : Math.max(last - LOOK_BACK * step, toMs - (MOST_BACKFILLED - 1) * step)
    const before = completeTo ?? last
    const isReread = mayBeRevised
    // Put down before the venue is asked: a connection that is lost meanwhile raises it again.
    mayBeRevised = false
    if (wanted <= toMs) {
      const againFromMs =
        isReread && last !== null
          ? Math.max(last - MOST_REREAD * step, (listenedTo ?? last) - REREAD * step)
          : undefined
      const range = { fromMs: Math.max(0, wanted), toMs }
      try {
        faults.backfilled += await store.fill(symbol, timeframe, range, { signal: ended.signal, againFromMs })
      } catch (error) {
        mayBeRevised ||= isReread
        throw error
      }
    }
    completeTo = await store.lastTs(symbol, timeframe)
    noteComplete()
    // The venue's history may be a moment behind its clock, and where nobody trades there are no candles at all.
    if (completeTo !== null && completeTo < toMs) {
      quietUntilMs = nowMs() + quietMs
      quietMs = Math.min(quietMs * 2, timing.retryMostMs)
    } else quietMs = timing.retryMs
    if (completeTo !== null && before !== null && completeTo > before) {
      const news = await store.since(symbol, timeframe, Math.max(before + step, completeTo - MOST_ANNOUNCED * step))
      for (const candle of news) deps.announce(candle, true)
    }
  }

  async function storeHeld(): Promise<void> {
    const batch = held
    held = []
    let told: ReadonlySet<number>
    try {
      const { revised, outdated } = await store.write(symbol, timeframe, batch)
      faults.revised += revised.length
      told = new Set([...revised, ...outdated])
    } catch (error) {
      held = [...batch, ...held]
      throw error
    }
    for (const { candle } of batch.toSorted((a, b) => a.candle.ts - b.candle.ts)) {
      if (completeTo === null || candle.ts === completeTo + step) completeTo = candle.ts
      else if (candle.ts > completeTo) wantsBackfill = true
      if (!told.has(candle.ts)) deps.announce(candle, true)
    }
    noteComplete()
  }

  function noteComplete(): void {
    if (completeTo !== null && completeTo !== closedTo) {
      closedTo = completeTo
      deps.closed(symbol, timeframe, completeTo)
    }
    // What came without a stream may be revised before there is one: it is read again then, however much it is.
    if (connected && !mayBeRevised) listenedTo = completeTo
  }

  const timer = setInterval(look, timing.lookMs)
  work()

  return {
    faults,
    async stop() {
      ended.abort(new Error('The feed is being stopped.'))
      clearInterval(timer)
      unsubscribe()
      await withinASecond(working)
    },
  }
}

import { copyCandles } from '@shapecast/engine/candles'
import type { SearchGround } from '@shapecast/engine/search/search-runs'
import { pointsOf } from '@shapecast/engine/search/search-space'
import { joinRealityChecks, type RealityCheck } from '@shapecast/engine/selection/reality-check'
import type { SearchVerdict } from '@shapecast/engine/selection/search-verdict'
import { openThread, type Thread } from '@shapecast/platform/threads/open-thread'
import type { PointFigures, SearchCalls, ThreadStart } from './search-thread.ts'

/** About so many candles are worked through between two answers of a thread. */
const CANDLES_A_CHUNK = 2_000_000

export interface PointsOptions extends Omit<ThreadStart, 'ground'> {
  readonly threads: number
  readonly signal?: AbortSignal
  onPoints?(done: number, total: number): void
}

/** All points of a search, in the order of their places. */
export interface RunPoints {
  readonly places: Float64Array
  readonly figures: Omit<PointFigures, 'series'>
  /** Days of each point's series. */
  readonly rows: number
  /** Null where no point had enough trades, and without draws. */
  readonly check: RealityCheck | null
  verdict(earlier: number): Promise<SearchVerdict>
  /** Equity of a point at the daily closes, quote, and its series. */
  curve(place: number): Promise<{ equity: Float64Array; excess: Float64Array }>
}

/**
 * Runs all points of a search in threads and hands them to `use`, while their threads still answer. The same search gives the
 * same bits, whatever the number of threads. Throws what a point throws, and the reason of `signal`.
 */
export async function withPoints<T>(
  ground: SearchGround,
  { threads, signal, onPoints, ...start }: PointsOptions,
  use: (points: RunPoints) => Promise<T>,
): Promise<T> {
  const places = pointsOf(ground.space)
  const chunk = Math.max(1, Math.min(200, Math.ceil(CANDLES_A_CHUNK / ground.candles.length)))
  const opened = Array.from({ length: Math.min(threads, Math.ceil(places.length / chunk)) }, () =>
    openThread<SearchCalls>(new URL('./search-thread.ts', import.meta.url)),
  )
  try {
    const [rows] = await Promise.all(
      opened.map((thread) => thread.call('begin', { ...start, ground: ownCopy(ground) })),
    )
    const [judge] = opened as [Thread<SearchCalls>, ...Thread<SearchCalls>[]]
    const figures = emptyFigures(places.length)
    const waiting = new Map<number, Float64Array>()
    const judged: Promise<void>[] = []
    let next = 0
    let done = 0
    let judgedTo = 0
    /** Series reach the judge in the order of their points, whichever thread is done first. */
    const handOn = () => {
      for (let series = waiting.get(judgedTo); series !== undefined; series = waiting.get(judgedTo)) {
        waiting.delete(judgedTo)
        judgedTo = Math.min(places.length, judgedTo + chunk)
        judged.push(judge.call('judge', series))
      }
    }
    const takeChunks = async (thread: Thread<SearchCalls>): Promise<void> => {
      while (next < places.length) {
        signal?.throwIfAborted()
        const from = next
        next = Math.min(places.length, from + chunk)
        const { series, ...made } = await thread.call('run', places.slice(from, next))
        for (const [name, column] of Object.entries(made)) figures[name as keyof typeof figures].set(column, from)
        waiting.set(from, series)
        handOn()
        done += made.sharpe.length
        onPoints?.(done, places.length)
      }
    }
    const loops = opened.map(takeChunks)
    try {
      await Promise.all(loops)
      await Promise.all(judged)
    } finally {
      next = places.length
      await Promise.allSettled(loops)
      await Promise.allSettled(judged)
    }
    signal?.throwIfAborted()
    const parts = await Promise.all(opened.map((thread) => thread.call('checked', null)))
    const known = parts.filter((part) => part !== null)
    const check = known.length === 0 ? null : joinRealityChecks(known)
    return await use({
      places,
      figures,
      rows: rows!,
      check: check?.best == null ? null : check,
      verdict: (earlier) => judge.call('verdict', { check: check!, earlier }),
      curve: (place) => judge.call('curve', place),
    })
  } finally {
    await Promise.all(opened.map((thread) => thread.close()))
  }
}

/** What a thread may keep: its columns are handed over. */
const ownCopy = (ground: SearchGround): SearchGround => ({
  ...ground,
  candles: copyCandles(ground.candles, 0),
  forecast: structuredClone(ground.forecast),
})

const emptyFigures = (length: number) => ({
  sharpe: new Float64Array(length),
  netReturnPct: new Float64Array(length),
  maxDrawdownPct: new Float64Array(length),
  trades: new Float64Array(length),
})

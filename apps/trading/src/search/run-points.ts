import type { SearchGround } from '@shapecast/engine/search/search-runs'
import { pointsOf } from '@shapecast/engine/search/search-space'
import { joinRealityChecks, type RealityCheck } from '@shapecast/engine/selection/reality-check'
import type { SearchVerdict } from '@shapecast/engine/selection/search-verdict'
import { openThreads } from '@shapecast/platform/threads/open-threads'
import { ownCopy } from './search-ground.ts'
import type { PointsPart, SearchCalls, ThreadStart } from './search-thread.ts'

/** About so many candles are worked through in a part. */
const CANDLES_A_PART = 2_000_000
const MOST_POINTS_A_PART = 200

export interface PointsOptions extends Omit<ThreadStart, 'ground'> {
  readonly threads: number
}

/**
 * Threads that run the points of a search, part by part. The same search has the same parts, and each comes to the same bits,
 * whatever the number of threads and whichever runs it.
 */
export function openPoints(ground: SearchGround, { threads: most, ...start }: PointsOptions) {
  const places = pointsOf(ground.space)
  const size = Math.max(1, Math.min(MOST_POINTS_A_PART, Math.ceil(CANDLES_A_PART / ground.candles.length)))
  const count = Math.ceil(places.length / size)
  const threads = openThreads<SearchCalls>(new URL('./search-thread.ts', import.meta.url), Math.min(most, count))
  const begun = threads.all.map((thread) => thread.call('begin', { ...start, ground: ownCopy(ground) }))
  // Callers that ask for a part, or for the joined result, get its error.
  const rows = Promise.all(begun).then(([days]) => days!)
  rows.catch(() => undefined)
  return {
    places,
    count,
    /** One more than threads: the next part is there when one is done. */
    lanes: threads.all.length + 1,
    /** Days of each point's series, once all threads have begun. */
    rows,
    close: threads.close,

    /** So many points are in `parts` parts. */
    pointsIn: (parts: number): number => Math.min(places.length, parts * size),

    /** Called as often at once as there are lanes. Throws what a point throws. */
    async run(part: number): Promise<PointsPart> {
      await rows
      return threads.turn((thread) => thread.call('run', places.slice(part * size, (part + 1) * size)))
    },

    verdict: (told: readonly PointsPart['told'][], check: RealityCheck, earlier: number): Promise<SearchVerdict> =>
      threads.first.call('verdict', { told, check, earlier }),

    /** Equity of a point at the daily closes, quote, and its series. */
    curve: (place: number) => threads.first.call('curve', place),
  }
}

/** All points of a search, in the order of their places, while their threads still answer; `parts` in their order. */
export async function joinPoints(
  { places, rows, curve }: Pick<ReturnType<typeof openPoints>, 'places' | 'rows' | 'curve'>,
  parts: readonly PointsPart[],
) {
  const checks = parts.flatMap(({ check }) => check ?? [])
  const check = checks.length === 0 ? null : joinRealityChecks(checks)
  const column = (name: keyof PointsPart['figures']) =>
    Float64Array.from(parts.flatMap(({ figures }) => [...figures[name]]))
  return {
    places,
    rows: await rows,
    curve,
    figures: {
      sharpe: column('sharpe'),
      netReturnPct: column('netReturnPct'),
      maxDrawdownPct: column('maxDrawdownPct'),
      trades: column('trades'),
    },
    /** Null where no point had enough trades, and without draws. */
    check: check?.best == null ? null : check,
    told: parts.map(({ told }) => told),
  }
}
export type RunPoints = Awaited<ReturnType<typeof joinPoints>>

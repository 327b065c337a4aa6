import { createRandom } from '@shapecast/engine/random'
import { createSearchRuns, type SearchGround } from '@shapecast/engine/search/search-runs'
import { createRealityCheck, type RealityCheck, type RealityCheckPart } from '@shapecast/engine/selection/reality-check'
import { createSearchVerdict, type SearchVerdict } from '@shapecast/engine/selection/search-verdict'
import { standBack } from '@shapecast/ml/train/stand-back'
import { serveCalls } from '@shapecast/platform/threads/serve-calls'

/** What a thread is given before its first point. */
export interface ThreadStart {
  readonly ground: SearchGround
  readonly minTrades: number
  /** Of the reshuffled histories, the same for each thread. */
  readonly seed: number
  /** How many; 0 leaves the reality check out. */
  readonly draws: number
}

/** Figures of some points, in the order in which they were asked for. */
export interface PointFigures {
  readonly sharpe: Float64Array
  readonly netReturnPct: Float64Array
  readonly maxDrawdownPct: Float64Array
  readonly trades: Float64Array
  /** The series of those with enough trades, one after the other. */
  readonly series: Float64Array
}

let work: ReturnType<typeof begin> | undefined

function begin({ ground, minTrades, seed, draws }: ThreadStart) {
  const runs = createSearchRuns(ground)
  const check = draws === 0 ? null : createRealityCheck(runs.rows, createRandom(seed).next, draws)
  return { runs, minTrades, check, judged: createSearchVerdict(runs.rows), places: [] as number[] }
}

const searchCalls = {
  begin(start: ThreadStart): number {
    work = begin(start)
    return work.runs.rows
  },

  run(places: Float64Array): PointFigures {
    const { runs, minTrades, check, places: checked } = work!
    const made = Array.from(places, (place) => ({ place, run: runs.run(place) }))
    const enough = made.filter(({ run }) => run.trades >= minTrades)
    const series = new Float64Array(enough.length * runs.rows)
    for (const [k, { place, run }] of enough.entries()) {
      series.set(run.excess, k * runs.rows)
      check?.add(run.excess)
      checked.push(place)
    }
    const column = (of: (run: (typeof made)[number]['run']) => number) => Float64Array.from(made, ({ run }) => of(run))
    return {
      sharpe: column((run) => (run.trades >= minTrades ? run.sharpe : Number.NaN)),
      netReturnPct: column((run) => run.netReturnPct),
      maxDrawdownPct: column((run) => run.maxDrawdownPct),
      trades: column((run) => run.trades),
      series,
    }
  },

  /** What the reality check of this thread's points found. */
  checked(_: null): RealityCheckPart | null {
    const { check, places } = work!
    if (check === null) return null
    const { best, trials, statistic } = check.result()
    return { trials, statistic, best: best === null ? null : places[best]!, drawn: check.drawn.slice() }
  },

  /** Takes series of the whole search, in the order of its points, for the rest of the verdict. */
  judge(series: Float64Array): void {
    const { runs, judged } = work!
    for (let at = 0; at < series.length; at += runs.rows) judged.add(series.subarray(at, at + runs.rows))
  },

  verdict({ check, earlier }: { check: RealityCheck; earlier: number }): SearchVerdict {
    return work!.judged.result(check, earlier)
  },

  /** Equity of a point at the daily closes, quote, and its series. */
  curve(place: number): { equity: Float64Array; excess: Float64Array } {
    const { equity, excess } = work!.runs.run(place)
    return { equity, excess }
  },
}
/** What a thread that runs points of a search answers. */
export type SearchCalls = typeof searchCalls

standBack()
serveCalls(searchCalls)

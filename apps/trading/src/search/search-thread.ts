import { createRandom } from '@shapecast/engine/random'
import { createSearchRuns, type PointRun, type SearchGround } from '@shapecast/engine/search/search-runs'
import {
  createRealityCheck,
  drawBlocks,
  type RealityCheck,
  type RealityCheckPart,
} from '@shapecast/engine/selection/reality-check'
import { createSearchVerdict, type SearchVerdict, type VerdictPart } from '@shapecast/engine/selection/search-verdict'
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

/** What the points of a part came to, in the order in which they were asked for. */
export interface PointsPart {
  readonly figures: {
    readonly sharpe: Float64Array
    readonly netReturnPct: Float64Array
    readonly maxDrawdownPct: Float64Array
    readonly trades: Float64Array
  }
  /** Of those with enough trades; null without draws. */
  readonly check: RealityCheckPart | null
  readonly told: VerdictPart
}

let work: ReturnType<typeof begin> | undefined

function begin({ ground, minTrades, seed, draws }: ThreadStart) {
  const runs = createSearchRuns(ground)
  const blocks = draws === 0 ? null : drawBlocks(runs.rows, createRandom(seed).next, draws)
  return { runs, minTrades, blocks }
}

const searchCalls = {
  begin(start: ThreadStart): number {
    work = begin(start)
    return work.runs.rows
  },

  run(places: Float64Array): PointsPart {
    const { runs, minTrades, blocks } = work!
    const check = blocks === null ? null : createRealityCheck(blocks)
    const judged = createSearchVerdict(runs.rows)
    const made = Array.from(places, (place) => runs.run(place))
    for (const { trades, excess } of made) {
      if (trades < minTrades) continue
      check?.add(excess)
      judged.add(excess)
    }
    const column = (of: (run: PointRun) => number) => Float64Array.from(made, of)
    return {
      figures: {
        sharpe: column(({ trades, sharpe }) => (trades >= minTrades ? sharpe : Number.NaN)),
        netReturnPct: column((run) => run.netReturnPct),
        maxDrawdownPct: column((run) => run.maxDrawdownPct),
        trades: column((run) => run.trades),
      },
      check: check && { ...check.result(), drawn: check.drawn },
      told: judged.told(),
    }
  },

  /** Of all parts, in their order. */
  verdict(all: { told: readonly VerdictPart[]; check: RealityCheck; earlier: number }): SearchVerdict {
    const judged = createSearchVerdict(work!.runs.rows)
    for (const part of all.told) judged.join(part)
    return judged.result(all.check, all.earlier)
  },

  /** Equity of a point at the daily closes, quote, and its series. */
  curve(place: number): { equity: Float64Array; excess: Float64Array } {
    const { equity, excess } = work!.runs.run(place)
    return { equity, excess }
  },

  end(): void {
    work = undefined
  },
}
/** What a thread that runs points of a search answers. */
export type SearchCalls = typeof searchCalls

standBack()
serveCalls(searchCalls)

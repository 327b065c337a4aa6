import { AppError } from '@shapecast/contracts/errors'
import type { SearchResult } from '@shapecast/contracts/search'
import { sliceCandles } from '@shapecast/engine/candles'
import { valuesAt } from '@shapecast/engine/search/search-space'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import type { BacktestBotDeps } from '../backtests/prepare-pair.ts'
import type { PartedWork, SharedWork } from '../ground/jobs/kind.ts'
import { threadsOfWorker } from '../ground/threads-of-worker.ts'
import { openCandles, openedAt } from '../trials/opened.ts'
import { trialsOf } from '../trials/trials.ts'
import type { LabProgress } from './lab-job.ts'
import { joinPoints, openPoints } from './run-points.ts'
import { keptFrom } from './search-candles.ts'
import { checkedPlaces, figuresOf } from './search-figures.ts'
import { basisOf, cut, groundOf, seenOf } from './search-ground.ts'
import { type Found, type SearchJob, searchTrial } from './search-kind.ts'
import { insertResult, type PackedResult, packResult } from './search-store.ts'
import type { PointsPart } from './search-thread.ts'
import type { Winner } from './tables.ts'

const DRAWS = 999
const SEED = 1

export interface SearchWorkDeps extends BacktestBotDeps {
  db: Database
  /** Threads that run points, or choose for folds; by default all processors but one, which bots and other jobs keep. */
  threads?: number | undefined
}

interface MadeSearch {
  readonly result: SearchResult
  readonly winner: Winner
  readonly found: Found
}

export const searchWork = (
  deps: SearchWorkDeps,
): SharedWork<SearchJob['payload'], LabProgress, Found, PackedResult & { found: Found }> => ({
  async open(job, signal) {
    const opened = await openSearch(deps, job, signal)
    return {
      ...opened,
      async join(parts: PointsPart[]) {
        const { result, winner, found } = await opened.join(parts)
        return { ...(await packResult(result, winner)), found }
      },
    }
  },

  async complete(tx, { id, userId, payload }, made, nowMs) {
    const kept = await openKept(tx, { userId, payload }, made.result, nowMs)
    const packed = kept === 'opened' ? made : await packResult(withoutKept(made.result), made.winner)
    await insertResult(tx, id, packed)
    const { points } = made.found
    return { result: { ...made.found, kept }, progress: { current: points, total: points, leftS: 0 } }
  },
})

/** A result that says nothing of the kept part. */
const withoutKept = (result: SearchResult): SearchResult => {
  const { curves, searched } = result
  const best = curves.best.map((value, k) => (curves.t[k]! <= searched.to ? value : null))
  return { ...result, keptRun: null, curves: { ...curves, best } }
}

/** Opens the kept part for the best, unless an earlier run has. */
async function openKept(
  tx: Orm,
  { userId, payload }: Pick<SearchJob, 'userId' | 'payload'>,
  { searched, kept }: SearchResult,
  nowMs: number,
): Promise<Found['kept']> {
  if (userId === null || kept === null) return 'none'
  const { symbol, timeframe } = payload.request
  const series = { venue: payload.venue, symbols: [symbol], timeframe }
  await lockUntilCommit(tx, `opened candles of ${userId}`)
  const before = await openedAt(tx, userId, series, { fromMs: kept.from, toMs: kept.to })
  await openCandles(tx, { userId, series, fromMs: searched.from, toMs: kept.to }, nowMs)
  return before === null ? 'opened' : 'spent'
}

/** A search in parts of some points each; stores nothing. `userId`: whose earlier tries count. Joining throws `unprocessable`. */
export async function openSearch(
  deps: SearchWorkDeps,
  { payload: order, userId }: Pick<SearchJob, 'payload' | 'userId'>,
  signal: AbortSignal,
): Promise<PartedWork<PointsPart, LabProgress, MadeSearch>> {
  const { request, space } = order
  const startedAt = performance.now()
  const ground = await groundOf(deps, order, signal)
  const { whole, run, said } = ground
  const locked = keptFrom(run.length, request.keptPct)
  const { minTrades } = request
  const threads = deps.threads ?? threadsOfWorker()
  const opened = openPoints(cut(whole, locked), { threads, minTrades, seed: SEED, draws: DRAWS })
  const total = opened.places.length

  return {
    basis: basisOf(ground, [minTrades, locked, SEED, DRAWS, opened.count]),
    count: opened.count,
    lanes: opened.lanes,
    run: opened.run,
    close: opened.close,

    shown: (done) => ({ current: opened.pointsIn(done), total }),

    async join(parts) {
      const points = await joinPoints(opened, parts)
      const { check } = points
      if (check === null)
        throw new AppError(
          'unprocessable',
          `None of the ${total} combinations closed ${minTrades} trades that varied: widen the values, or ask for fewer trades.`,
        )
      const { series, tried: own } = searchTrial(order)
      const tried =
        userId === null ? 0 : (await trialsOf(deps.db.orm, [userId], series, { kind: 'search', tried: own })).count
      const winner = checkedPlaces(points)[check.best!]!
      const values = valuesAt(space, winner.place)
      const model =
        said === undefined ? null : { version: said.version, seenRatio: seenOf(sliceCandles(run, 0, locked), said) }
      const judge = () => opened.verdict(points.told, check, tried + total - check.trials)
      const ran = { whole, run, locked, values, winner, judge, tries: tried + total }
      const { figures, verdict } = await figuresOf(order, points, ran)
      const result: SearchResult = { ...figures, model, seconds: (performance.now() - startedAt) / 1000 }
      signal.throwIfAborted()
      const { code, realityCheck } = verdict
      const found: Found = { code, p: realityCheck.p, kept: 'none', points: total, sharpe: result.best.sharpe }
      return { result, winner: { values }, found }
    },
  }
}

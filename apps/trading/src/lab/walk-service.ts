import type { WalkForward, WalkForwardRequest, WalkForwardSummary } from '@shapecast/contracts/walk-forward'
import { foldsOf } from '@shapecast/engine/walk-forward/folds'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import type { Caller, Member } from '@shapecast/platform/sessions'
import { deciderOf } from '../deciders/deciders.ts'
import { listJobs } from '../ground/jobs/job-rows.ts'
import type { Jobs } from '../ground/jobs/jobs.ts'
import type { SeriesMarket } from '../market/series-market.ts'
import type { LentModels } from '../models/lent-models.ts'
import { keptFrom, requireDays, searchCandles } from '../search/search-candles.ts'
import { firstPlan, orderOf, titleOf } from '../search/search-order.ts'
import { trialsOf } from '../trials/trials.ts'
import { shownWalk, WALK_FORWARD, type WalkOrder } from './walk-kind.ts'

type Asker = Pick<Caller, 'userId' | 'role'>

export interface LabDeps {
  readonly db: Database
  readonly jobs: Jobs
  readonly market: SeriesMarket
  readonly models: LentModels
}

/** The order of a walk. Throws `bad_input`, `no_candles`, `too_few_candles`, `unknown_symbol`, `model_not_trained`. */
export async function walkOrder({ market, models }: LabDeps, request: WalkForwardRequest): Promise<WalkOrder> {
  const { search } = request
  const { symbol, timeframe, keptPct } = search
  const candles = await searchCandles(market, search)
  requireDays(candles, keptPct, timeframe)
  foldsOf(keptFrom(candles.length, keptPct), request)
  const order = orderOf(search, { fromMs: candles.ts[0]!, toMs: candles.ts.at(-1)! })
  const plan = firstPlan(order)
  for (const version of deciderOf({ strategy: 'ml' }, plan).versions(plan))
    await models.require(version ?? (await models.currentOn(symbol, timeframe)), symbol, timeframe)
  return { request, search: order, venue: market.venue }
}

/** Asking for walks, following and reading them. */
export const createWalkService = (deps: LabDeps) => {
  const { db, jobs } = deps
  return {
    /** Queues a walk and answers its id. Throws what `walkOrder` throws, and `too_many_requests`. */
    async request(request: WalkForwardRequest, asker: Member): Promise<string> {
      const payload = await walkOrder(deps, request)
      const title = titleOf(request.search)
      return db.orm.transaction(async (tx) => {
        const { id } = await jobs.request(tx, WALK_FORWARD, { userId: asker.userId, key: null, title, payload })
        await recordAudit(tx, asker, {
          action: 'walk_forward.requested',
          subject: { type: 'walk_forward', id },
          after: { title },
        })
        return id
      })
    },

    async list(asker: Asker, limit: number): Promise<WalkForwardSummary[]> {
      const found = await listJobs(db.orm, WALK_FORWARD, asker.role === 'admin' ? 'all' : asker.userId, limit)
      return found.map(shownWalk)
    },

    /** Throws `not_found`. */
    async read(id: string, asker: Asker): Promise<WalkForward> {
      const job = await jobs.read(WALK_FORWARD, id, asker)
      const { symbol, timeframe } = job.payload.search.request
      const series = { venue: job.payload.venue, symbols: [symbol], timeframe }
      const tries = await trialsOf(db.orm, job.userId === null ? [] : [job.userId], series)
      return { ...shownWalk(job), tries, result: job.result }
    },
  }
}
export type WalkService = ReturnType<typeof createWalkService>

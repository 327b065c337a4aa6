import { AppError } from '@shapecast/contracts/errors'
import type { SearchRequest } from '@shapecast/contracts/search'
import type {
  WalkForward,
  WalkForwardRequest,
  WalkForwardSummary,
  WalkGroundQuery,
} from '@shapecast/contracts/walk-forward'
import { asksModels } from '@shapecast/engine/policies/plan'
import { foldsOf } from '@shapecast/engine/walk-forward/folds'
import { candlesNeeded } from '@shapecast/ml/recipe/settings'
import type { Member } from '@shapecast/platform/sessions'
import { deciderOf } from '../deciders/deciders.ts'
import { listJobs } from '../ground/jobs/job-rows.ts'
import type { Asker } from '../ground/ownership.ts'
import { type FileFormat, tableFile } from '../ground/table-file.ts'
import type { ModelStore } from '../models/model-store.ts'
import { type Recipe, recipeOf } from '../models/recipes.ts'
import { secondsACandle } from '../models/training-reads.ts'
import { requestLabJob } from '../search/lab-job.ts'
import { keptFrom, requireDays, searchCandles } from '../search/search-candles.ts'
import { firstPlan, orderOf, withOrigin } from '../search/search-order.ts'
import type { SearchServiceDeps } from '../search/search-service.ts'
import { trialsOf } from '../trials/trials.ts'
import { foldColumns } from './lab-files.ts'
import { shownWalk, WALK_FORWARD, type WalkOrder, walkTitle } from './walk-kind.ts'

export interface LabDeps extends Omit<SearchServiceDeps, 'createBot'> {
  readonly modelStore: ModelStore
}

/** How the model of a walk is trained again. Throws `model_not_trained`, `unprocessable`, `too_few_candles`. */
async function recipeFor(
  { models, modelStore }: LabDeps,
  asked: Pick<SearchRequest, 'symbol' | 'timeframe' | 'mlModelVersion'> & { train: number },
): Promise<Recipe> {
  const { symbol, timeframe, mlModelVersion, train } = asked
  const version = mlModelVersion ?? (await models.currentOn(symbol, timeframe))
  const found = await recipeOf(modelStore, version, symbol, timeframe)
  const need = candlesNeeded(found.params)
  if (train < need)
    throw new AppError('too_few_candles', `${found.version} is trained on at least ${need} candles: train on more.`, {
      field: 'train',
    })
  return found
}

/**
 * The order of a walk. Throws `bad_input`, `no_candles`, `too_few_candles`, `unknown_symbol`, `model_not_trained`,
 * `unprocessable` (an upload cannot be trained again).
 */
export async function walkOrder(deps: LabDeps, request: WalkForwardRequest): Promise<WalkOrder> {
  const { market, models } = deps
  const { search } = request
  const { symbol, timeframe, keptPct } = search
  const candles = await searchCandles(market, search)
  requireDays(candles, keptPct, timeframe)
  foldsOf(keptFrom(candles.length, keptPct), request)
  const order = orderOf(search, { fromMs: candles.ts[0]!, toMs: candles.ts.at(-1)! })
  const plan = firstPlan(order)
  const walk = { request, search: order, venue: market.venue }
  if (request.retrain) {
    if (!asksModels(plan))
      throw new AppError(
        'bad_input',
        'This rule looks at no forecast: name p_up, edge or sigma, or do not train again.',
        { field: 'search.rule' },
      )
    return { ...walk, recipe: await recipeFor(deps, { ...search, train: request.train }) }
  }
  for (const version of deciderOf({ strategy: 'ml' }, plan).versions(plan))
    await models.find(version ?? (await models.currentOn(symbol, timeframe)), symbol, timeframe)
  return walk
}

/** Asking for walks, following and reading them. */
export const createWalkService = (deps: LabDeps) => {
  const { db, jobs } = deps
  return {
    /** Queues a walk and answers its id. Throws what `walkOrder` throws, and `too_many_requests`. */
    async request(request: WalkForwardRequest, asker: Member): Promise<string> {
      const order = await walkOrder(deps, request)
      const payload = { ...order, search: await withOrigin(db.orm, order.search, asker) }
      return requestLabJob(deps, WALK_FORWARD, { title: walkTitle(payload), payload }, asker)
    },

    /** What a walk that trains again would stand on. Throws what `walkOrder` throws. */
    async ground(asked: WalkGroundQuery): Promise<{ version: string; folds: number; seconds: number | null }> {
      const { version } = await recipeFor(deps, asked)
      const { length } = await searchCandles(deps.market, asked)
      const folds = foldsOf(keptFrom(length, asked.keptPct), asked)
      const each = await secondsACandle(db.orm, version)
      const candles = folds.reduce((sum, { trainFrom, testFrom }) => sum + testFrom - trainFrom, 0)
      return { version, folds: folds.length, seconds: each && each * candles }
    },

    list: async (asker: Asker, limit: number): Promise<WalkForwardSummary[]> =>
      (await listJobs(db.orm, WALK_FORWARD, asker, limit)).map(shownWalk),

    /** The folds. Throws `not_found`, and `conflict` before there is a result. */
    async export(id: string, format: FileFormat, asker: Asker) {
      const { result, payload } = await jobs.read(WALK_FORWARD, id, asker)
      if (result === null) throw new AppError('conflict', 'This walk has no result yet. Wait for it to end.')
      return tableFile(`walk-${id.slice(-8)}`, foldColumns(result, payload.search.request.ruleOrigin), format)
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

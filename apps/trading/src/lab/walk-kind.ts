import type { WalkForwardRequest, WalkForwardResult, WalkForwardSummary } from '@shapecast/contracts/walk-forward'
import type { Orm } from '@shapecast/platform/database/database'
import { askedKind } from '../ground/jobs/asked-kind.ts'
import type { Job } from '../ground/jobs/kind.ts'
import type { Recipe } from '../models/recipes.ts'
import { type LabProgress, shownLabJob } from '../search/lab-job.ts'
import { pointsIn, type SearchOrder, titleOf } from '../search/search-order.ts'
import { countTrials } from '../trials/trials.ts'

/** A walk as it was asked for, on candles that stay the same however often it is begun. */
export interface WalkOrder {
  readonly request: WalkForwardRequest
  readonly search: SearchOrder
  readonly venue: string
  /** How the model is trained before each stretch, where it is. */
  readonly recipe?: Recipe
}

/** Progress in folds. */
export const WALK_FORWARD = askedKind<WalkOrder, WalkForwardResult, LabProgress>({
  name: 'walk_forward',
  words: ['walk', 'walks'],
  limit: { most: 3, retryAfterS: 10 },
  goesOn: true,
  ended: countPoints,
  news: {
    what: ({ payload }) => `Walk-forward of ${walkTitle(payload)}`,
    done: () => 'Open it for what came true on the candles that followed.',
    link: ({ id }) => `/backtest/walk-forward?walk=${id}`,
  },
})
type WalkJob = Job<WalkOrder, LabProgress, WalkForwardResult>

/** Every combination that a fold chose among is a try, and every training that was begun, whatever became of the walk. */
async function countPoints(tx: Orm, { userId, payload, progress: { current, total } }: WalkJob): Promise<void> {
  const { search, request, venue, recipe } = payload
  const { train, test, anchored } = request
  const { symbol, timeframe } = search.request
  const tried = { bot: search.bot, space: search.space, walk: { train, test, anchored } }
  const made =
    recipe === undefined
      ? { kind: 'search' as const, tried, count: current === 0 ? 0 : pointsIn(search.request) }
      : {
          kind: 'training' as const,
          tried: { ...tried, version: recipe.version, params: recipe.params, fromMs: search.fromMs, toMs: search.toMs },
          count: Math.min(total, current + 1),
        }
  if (userId === null || made.count === 0) return
  await countTrials(tx, { userId, series: { venue, symbols: [symbol], timeframe }, ...made })
}

/** What is walked, for people. */
export function walkTitle({ search: { request }, recipe }: Pick<WalkOrder, 'search' | 'recipe'>): string {
  if (recipe === undefined) return titleOf(request)
  return `${recipe.version} trained again on ${request.symbol} ${request.timeframe}`
}

/** A walk as a list shows it. */
export const shownWalk = (job: WalkJob): WalkForwardSummary => ({
  ...shownLabJob(job),
  request: { ...job.payload.request, search: job.payload.search.request },
})

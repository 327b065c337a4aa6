import type { WalkForwardRequest, WalkForwardResult, WalkForwardSummary } from '@shapecast/contracts/walk-forward'
import type { Orm } from '@shapecast/platform/database/database'
import { z } from 'zod'
import { type Job, kindOf } from '../ground/jobs/kind.ts'
import { type JobNews, notifyAskers } from '../ground/jobs/notify-askers.ts'
import type { Recipe } from '../models/recipes.ts'
import { type LabProgress, shownLabJob } from '../search/lab-job.ts'
import { pointsIn, type SearchOrder, titleOf } from '../search/search-order.ts'
import { countTrials } from '../trials/trials.ts'

const MOST_ACTIVE_OF_A_USER = 3

/** A walk as it was asked for, on candles that stay the same however often it is begun. */
export interface WalkOrder {
  readonly request: WalkForwardRequest
  readonly search: SearchOrder
  readonly venue: string
  /** How the model is trained before each stretch, where it is. */
  readonly recipe?: Recipe
}

/** Progress in folds. */
export type WalkJob = Job<WalkOrder, LabProgress, WalkForwardResult>

export const WALK_FORWARD = kindOf<WalkForwardResult>()({
  name: 'walk_forward',
  // Made by the service, of a request that was checked.
  payload: z.custom<WalkOrder>(),
  start: { current: 0, total: 0 } as LabProgress,
  visibility: 'askers',
  limit: {
    most: MOST_ACTIVE_OF_A_USER,
    error: `You have ${MOST_ACTIVE_OF_A_USER} walks waiting or running. Wait for one to end, or cancel one.`,
    retryAfterS: 10,
  },
  unknown: 'This walk does not exist, or somebody else asked for it.',
  givenUp: 'The walk was interrupted more than once and given up. What was done is kept: go on with it.',
  goesOn: true,
  async ended(tx, job, nowMs) {
    await countPoints(tx, job)
    await notifyAskers(tx, job, newsOf, nowMs)
  },
})

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

/** That a walk is done, or why it failed. */
function newsOf(job: WalkJob): JobNews {
  const what = `Walk-forward of ${walkTitle(job.payload)}`
  const news =
    job.result !== null
      ? { title: `${what} is done`, text: 'Open it for what came true on the candles that followed.' }
      : { title: `${what} failed`, text: job.error! }
  return { ...news, link: `/backtest/walk-forward?walk=${job.id}` }
}

/** A walk as a list shows it. */
export const shownWalk = (job: WalkJob): WalkForwardSummary => ({
  ...shownLabJob(job),
  request: { ...job.payload.request, search: job.payload.search.request },
})

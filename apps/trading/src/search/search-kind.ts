import type { KeptState, SearchSummary } from '@shapecast/contracts/search'
import type { Orm } from '@shapecast/platform/database/database'
import { z } from 'zod'
import { type Job, kindOf } from '../ground/jobs/kind.ts'
import { type JobNews, notifyAskers } from '../ground/jobs/notify-askers.ts'
import { countTrials } from '../trials/trials.ts'
import { type LabProgress, shownLabJob } from './lab-job.ts'
import { pointsIn, type SearchOrder, titleOf } from './search-order.ts'

const MOST_ACTIVE_OF_A_USER = 3

/** What a list of searches shows of one that is completed. */
export type Found = NonNullable<SearchSummary['verdict']>
/** Progress in combinations. */
export type SearchJob = Job<SearchOrder & { venue: string }, LabProgress, Found>

export const SEARCH = kindOf<Found>()({
  name: 'search',
  // Made by `orderOf`, of a request that was checked.
  payload: z.custom<SearchOrder & { venue: string }>(),
  start: { current: 0, total: 0 } as LabProgress,
  visibility: 'askers',
  limit: {
    most: MOST_ACTIVE_OF_A_USER,
    error: `You have ${MOST_ACTIVE_OF_A_USER} searches waiting or running. Wait for one to end, or cancel one.`,
    retryAfterS: 10,
  },
  unknown: 'This search does not exist, or somebody else asked for it.',
  givenUp: 'The search was interrupted more than once and given up. What was done is kept: go on with it.',
  goesOn: true,
  async ended(tx, job, nowMs) {
    await countPoints(tx, job)
    await notifyAskers(tx, job, newsOf, nowMs)
  },
})

/** Every point that was run is a try, whatever became of the search. */
async function countPoints(tx: Orm, { userId, payload, progress }: SearchJob): Promise<void> {
  if (userId === null || progress.current === 0) return
  await countTrials(tx, { userId, kind: 'search', count: progress.current, ...searchTrial(payload) })
}

/** As what a search counts, and on which series: the same again is no other try. */
export const searchTrial = ({ request, bot, space, venue }: SearchJob['payload']) => ({
  series: { venue, symbols: [request.symbol], timeframe: request.timeframe },
  tried: { bot, space },
})

const SAYS: Readonly<Record<Found['code'], string>> = {
  better_than_luck: 'The best is more than luck, so far.',
  cannot_tell: 'The best is no better than luck.',
}

/** That a search is done, or why it failed. */
function newsOf(job: SearchJob): JobNews {
  const what = `Search of ${titleOf(job.payload.request)}`
  const news =
    job.result !== null
      ? { title: `${what} is done`, text: SAYS[job.result.code] }
      : { title: `${what} failed`, text: job.error! }
  return { ...news, link: `/backtest/search?search=${job.id}` }
}

/** A search as a list shows it. */
export const shownSearch = (job: SearchJob, own: boolean): SearchSummary => ({
  ...shownLabJob(job, pointsIn(job.payload.request)),
  finishedAt: job.finishedAtMs,
  request: job.payload.request,
  verdict: job.result,
  own,
})

/** What became of the kept part. */
export const keptState = (keptPct: number, openedAtMs: number | null): KeptState => {
  if (keptPct === 0) return 'none'
  return openedAtMs === null ? 'opened' : 'spent'
}

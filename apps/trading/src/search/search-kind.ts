import type { SearchSummary } from '@shapecast/contracts/search'
import type { Orm } from '@shapecast/platform/database/database'
import { askedKind } from '../ground/jobs/asked-kind.ts'
import { type Job, mayCancel } from '../ground/jobs/kind.ts'
import type { Asker } from '../ground/ownership.ts'
import { countTrials } from '../trials/trials.ts'
import { type LabProgress, shownLabJob } from './lab-job.ts'
import { pointsIn, type SearchOrder, titleOf } from './search-order.ts'

/** What a list of searches shows of one that is completed. */
export type Found = NonNullable<SearchSummary['verdict']>
/** Progress in combinations. */
export type SearchJob = Job<SearchOrder & { venue: string }, LabProgress, Found>

export const SEARCH = askedKind<SearchJob['payload'], Found, LabProgress>({
  name: 'search',
  words: ['search', 'searches'],
  limit: { most: 3, retryAfterS: 10 },
  goesOn: true,
  ended: countPoints,
  news: {
    what: ({ payload }) => `Search of ${titleOf(payload.request)}`,
    done: ({ code }) => SAYS[code],
    link: ({ id }) => `/backtest/search?search=${id}`,
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

/** A search as a list shows it. */
export const shownSearch = (job: SearchJob, asker: Asker): SearchSummary => ({
  ...shownLabJob(job, pointsIn(job.payload.request)),
  finishedAt: job.finishedAtMs,
  request: job.payload.request,
  verdict: job.result,
  own: mayCancel(job, asker),
})

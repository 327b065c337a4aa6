import { notify } from '@shapecast/platform/notify'
import { z } from 'zod'
import { type AnyKind, askersOf, type Job, type Kind, type Progress } from './kind.ts'

interface Asked<Payload, Shown extends Progress, Result, J = Job<Payload, Shown, Result>>
  extends Partial<Omit<Kind<Payload, Shown, Result>, 'name' | 'limit'>>,
    Pick<AnyKind, 'name'> {
  /** What one is called, and several. */
  readonly words: readonly [one: string, many: string]
  readonly limit?: { readonly most: number; readonly retryAfterS: number }
  readonly news: {
    /** What it was, as a title begins, and how the title of one that is completed or failed ends. */
    what(job: J): string
    ends?: { readonly done: string; readonly failed: string }
    /** What is said of one that is completed; of a failed one its error is. */
    done(result: Result, job: J): string
    link(job: J): string
  }
}

/**
 * Declares a kind that people ask for: how many one of them may have open, and that everybody who asked hears of its end, but
 * for a cancelled one. Unless it says otherwise, its payload was made by a service of a request that was checked.
 */
export const askedKind = <Payload, Result, Shown extends Progress = Progress>({
  words: [one, many],
  limit,
  news,
  ended,
  ...kind
}: Asked<Payload, Shown, Result>): Kind<Payload, Shown, Result> => ({
  payload: z.custom<Payload>(),
  start: { current: 0, total: 0 } as Shown,
  visibility: 'askers',
  unknown: `This ${one} does not exist, or somebody else asked for it.`,
  givenUp: `The ${one} was interrupted more than once and given up. ${kind.goesOn ? 'What was done is kept: go on with it.' : 'Start it again.'}`,
  ...kind,
  ...(limit && {
    limit: {
      ...limit,
      error: `You have ${limit.most} ${many} waiting or running. Wait for one to end, or cancel one.`,
    },
  }),
  async ended(tx, job, nowMs) {
    await ended?.(tx, job, nowMs)
    if (job.status === 'cancelled') return
    const { done, failed } = news.ends ?? { done: 'is done', failed: 'failed' }
    const isDone = job.status === 'completed'
    const title = `${news.what(job)} ${isDone ? done : failed}`
    const text = isDone ? news.done(job.result!, job) : job.error!
    for (const userId of askersOf(job))
      await notify(tx, userId, { kind: 'job', title, text, link: news.link(job) }, nowMs)
  },
})

import { AppError } from '@shapecast/contracts/errors'
import pLimit from 'p-limit'
import { createTurns } from '../../ground/turns.ts'

/** Uploads that a process receives or tries out at a time, of all and of one person; more are asked to come again. */
const MOST = { all: 8, person: 2 } as const
/** Tried out at a time; the others wait. */
const TRIED_AT_ONCE = 2

/** Keeps uploaded files from taking the whole process: so many at once, and those of one series one after the other. */
export const createUploadTurns = () => {
  const people = new Map<string, number>()
  const inTurn = createTurns()
  const tried = pLimit(TRIED_AT_ONCE)
  let present = 0

  return {
    /** Lets an upload in, from its first byte on. Throws `too_many_requests`. */
    async admit<R>(userId: string, work: () => Promise<R>): Promise<R> {
      const own = people.get(userId) ?? 0
      if (own >= MOST.person || present >= MOST.all)
        throw new AppError(
          'too_many_requests',
          own >= MOST.person
            ? `${MOST.person} of your uploads are under way. Wait for one of them.`
            : 'Many uploads are under way. Try again in a moment.',
          { retryAfterS: 10 },
        )
      people.set(userId, own + 1)
      present++
      try {
        return await work()
      } finally {
        present--
        const left = (people.get(userId) ?? 1) - 1
        if (left === 0) people.delete(userId)
        else people.set(userId, left)
      }
    },

    /** Runs `work` when its turn has come: after what came before on the same series, two at a time in all. */
    inTurn: <R>(seriesName: string, work: () => Promise<R>): Promise<R> => inTurn(seriesName, () => tried(work)),
  }
}

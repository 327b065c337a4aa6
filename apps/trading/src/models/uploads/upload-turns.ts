import pLimit from 'p-limit'
import { createAdmission } from '../../ground/admission.ts'
import { createTurns } from '../../ground/turns.ts'

/** Uploads that a process receives or tries out at a time, of all and of one person; more are asked to come again. */
const MOST = { all: 8, user: 2 } as const
/** Tried out at a time; the others wait. */
const TRIED_AT_ONCE = 2

/** Keeps uploaded files from taking the whole process: so many at once, and those of one series one after the other. */
export const createUploadTurns = () => {
  const inTurn = createTurns()
  const tried = pLimit(TRIED_AT_ONCE)
  return {
    /** Lets an upload in, from its first byte on. Throws `too_many_requests`. */
    admit: createAdmission(MOST, {
      user: `${MOST.user} of your uploads are under way. Wait for one of them.`,
      all: 'Many uploads are under way. Try again in a moment.',
      retryAfterS: 10,
    }),
    /** Runs `work` when its turn has come: after what came before on the same series, two at a time in all. */
    inTurn: <R>(seriesName: string, work: () => Promise<R>): Promise<R> => inTurn(seriesName, () => tried(work)),
  }
}

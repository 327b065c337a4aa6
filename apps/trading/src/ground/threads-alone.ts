import { availableParallelism } from 'node:os'

/** Threads of one job that has the machine to itself: all processors but one, which bots and other jobs keep. */
export const threadsAlone = (): number => Math.max(1, availableParallelism() - 1)

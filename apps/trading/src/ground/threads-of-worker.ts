import { availableParallelism } from 'node:os'

/**
 * Threads of a search or a walk in one of so many workers of this machine: together all processors but one, which bots and
 * other jobs keep, since workers do parts of each other's.
 */
export const threadsOfWorker = (workers = 1, processors = availableParallelism()): number =>
  Math.max(1, Math.floor((processors - 1) / workers))

import pLimit, { type LimitFunction } from 'p-limit'

/** Runs the works of each key one after the other, in the order they come; one that fails holds up none. */
export function createTurns() {
  const queues = new Map<string, LimitFunction>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? pLimit(1)
    queues.set(key, queue)
    try {
      return await queue(work)
    } finally {
      if (queue.activeCount + queue.pendingCount === 0) queues.delete(key)
    }
  }
}

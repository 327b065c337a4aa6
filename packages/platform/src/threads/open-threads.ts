import { openThread, type Thread } from './open-thread.ts'
import type { Calls } from './serve-calls.ts'

/** Threads of one module, of which any one that is idle takes a call. */
export function openThreads<C extends Calls>(module: URL, count: number) {
  const first = openThread<C>(module)
  const all = [first, ...Array.from({ length: count - 1 }, () => openThread<C>(module))]
  const idle = [...all]
  return {
    first,
    all,
    /** Lends out one that is idle: as many turns at once as there are threads. */
    async turn<T>(use: (thread: Thread<C>) => Promise<T>): Promise<T> {
      const thread = idle.pop()
      if (thread === undefined) throw new Error(`All ${count} threads are at work.`)
      try {
        return await use(thread)
      } finally {
        idle.push(thread)
      }
    },
    /** Ends all, once the calls that wait are answered. */
    async close(): Promise<void> {
      await Promise.all(all.map((thread) => thread.close()))
    },
  }
}

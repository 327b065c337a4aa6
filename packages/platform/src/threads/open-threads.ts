import { openThread, type Thread } from './open-thread.ts'
import type { Calls } from './serve-calls.ts'

/** How long a thread waits for more work of its module, with its code warm. */
const KEPT_MS = 60_000
const kept = new Map<string, unknown[]>()

/** Threads of one module, of which any one that is idle takes a call. `end` lets go of what a thread was given. */
export function openThreads<C extends Calls & { end(): void }>(module: URL, count: number) {
  const spare = (kept.get(module.href) ?? []) as Thread<C>[]
  kept.set(module.href, spare)
  const taken = (): Thread<C> | undefined => {
    const thread = spare.pop()
    return thread === undefined || thread.alive ? thread : taken()
  }
  const all = Array.from({ length: count }, () => taken() ?? openThread<C>(module))
  const idle = [...all]
  const waiting: ((thread: Thread<C>) => void)[] = []
  const giveBack = async (thread: Thread<C>): Promise<void> => {
    try {
      await thread.call('end', undefined as Parameters<C['end']>[0])
    } catch {
      return // It has ended itself.
    }
    spare.push(thread)
    const drop = () => {
      const at = spare.indexOf(thread)
      if (at >= 0) void spare.splice(at, 1)[0]!.close()
    }
    setTimeout(drop, KEPT_MS).unref()
  }
  return {
    first: all[0]!,
    all,
    /** Lends out one that is idle, in the order in which they are asked for. */
    async turn<T>(use: (thread: Thread<C>) => Promise<T>): Promise<T> {
      const thread = idle.pop() ?? (await new Promise<Thread<C>>((resolve) => waiting.push(resolve)))
      try {
        return await use(thread)
      } finally {
        const next = waiting.shift()
        if (next === undefined) idle.push(thread)
        else next(thread)
      }
    },
    /** Gives all back, once the calls that wait are answered. */
    async close(): Promise<void> {
      await Promise.all(all.map(giveBack))
    },
  }
}

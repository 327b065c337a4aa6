import { once } from 'node:events'
import { jobKind, type Queue } from '@shapecast/platform/queue'
import { z } from 'zod'
import { startBeats } from './beats.ts'
import type { CarryOutDeps } from './carry-out.ts'
import { basisOfFree } from './job-parts.ts'
import { findJob } from './job-rows.ts'
import type { AnyKind, AnySharedWork } from './kind.ts'
import { takeParts } from './share-parts.ts'

const MOST_HELPERS = 16
const LOOK_EVERY_MS = 1_000

/** Asks a worker that is free to do parts of a job that another one carries out. Lost, it is no harm. */
const HELP = jobKind({
  name: 'help',
  payload: z.object({ kind: z.string(), id: z.uuid() }),
  onStop: 'abort',
  retryLimit: 0,
  keptForSeconds: 60,
})

/** Workers that do parts of each other's jobs, one job at a time and none while they carry out one of their own. */
export function createHelp({ orm, log, now }: CarryOutDeps, queue: Queue) {
  const known = new Map<string, { kind: AnyKind; work: AnySharedWork }>()
  let own = 0
  let idle = Promise.withResolvers<void>()
  let helping: AbortController | undefined

  async function help(name: string, id: string, stopping: AbortSignal): Promise<void> {
    const { kind, work } = known.get(name) ?? {}
    if (kind === undefined || work === undefined) return
    // A call that is held meanwhile; the others wait for who is free.
    while (own > 0 && !stopping.aborted) await Promise.race([idle.promise, once(stopping, 'abort')])
    const job = await findJob(orm, kind, id)
    const basis = await basisOfFree(orm, id, now())
    if (job?.status !== 'running' || basis === null) return
    const isRunning = async () => (await findJob(orm, kind, id))?.status === 'running'
    const looking = startBeats(isRunning, LOOK_EVERY_MS)
    helping = new AbortController()
    const signal = AbortSignal.any([stopping, looking.lost, helping.signal])
    try {
      const opened = await work.open({ ...job, payload: kind.payload.parse(job.payload) }, signal)
      try {
        if (opened.basis === basis) await takeParts({ orm, now }, { jobId: id, basis }, opened, signal)
      } finally {
        await opened.close()
      }
    } catch (error) {
      // The job's own worker meets it too, and says so.
      if (!signal.aborted) log.warn({ err: error, [name]: id }, 'a part of a job could not be done for another worker')
    } finally {
      helping = undefined
      await looking.stop()
    }
  }

  return {
    /** A kind whose parts this worker can do. */
    know: (kind: AnyKind, work: AnySharedWork) => void known.set(kind.name, { kind, work }),

    /** Asks for help with so many parts of a job; waits for no answer. */
    call(kind: string, id: string, parts: number): void {
      for (let k = 0; k < Math.min(MOST_HELPERS, parts); k++) void queue.send(HELP, { kind, id }).catch(() => undefined)
    },

    /** While a job of one's own is carried out, others are not helped. */
    async alone<T>(carry: () => Promise<T>): Promise<T> {
      if (own++ === 0) idle = Promise.withResolvers()
      helping?.abort()
      try {
        return await carry()
      } finally {
        if (--own === 0) idle.resolve()
      }
    },

    /** Takes calls for help from the queue. */
    work: () => queue.work(HELP, {}, ({ payload: { kind, id }, signal }) => help(kind, id, signal)),
  }
}

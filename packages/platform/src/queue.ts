import { AppError } from '@shapecast/contracts/errors'
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import type { z } from 'zod'
import type { Database, Orm } from './database/database.ts'
import { isUnreachable } from './database/unreachable.ts'
import type { Logger } from './logging.ts'

/** A kind of job. Its payload is checked when it is sent and again when it is taken. */
export interface JobKind<Payload extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly payload: Payload
  /** One job a key may wait or run at a time; a second one is not taken. */
  readonly exclusive?: boolean
  /** Longest that one attempt may take, in seconds. */
  readonly expireInSeconds?: number
  /** Attempts after the first one, for workers that died under the job or were stopped. */
  readonly retryLimit?: number
  readonly retryDelaySeconds?: number
  /** How long an ended job is kept; a week where nothing else is said. */
  readonly keptForSeconds?: number
  /** What the running job does when its worker is told to stop: give up and go back to the queue, or end first. */
  readonly onStop?: 'abort' | 'finish'
}

/** Declares a kind of job, with the type of its payload kept. */
export const jobKind = <Payload extends z.ZodType>(kind: JobKind<Payload>): JobKind<Payload> => kind

export interface JobRun<Payload> {
  readonly id: string
  readonly payload: Payload
  /** 0 for the first attempt. */
  readonly attempt: number
  /** Fires when the job is cancelled or taken away, and with `onStop: 'abort'` when the worker has to stop. */
  readonly signal: AbortSignal
  /** True where the signal fired because the worker has to stop: the job will be taken up again. */
  stopping(): boolean
}

const OPEN: ReadonlySet<string> = new Set(['created', 'retry', 'active'])

/** pg-boss takes a job from a worker that has not been heard of for this long; 10 is its least. */
const HEARTBEAT_SECONDS = 10
const HEARTBEAT_REFRESH_SECONDS = 1
const SUPERVISE_SECONDS = 5
const STOP_MS = 8_000

/**
 * Jobs on pg-boss in the schema `pgboss` of the database. Starting it makes or updates that schema. A process that only
 * asks for jobs leaves it to those with workers to look for jobs whose worker died.
 */
export async function createQueue(db: Database, log: Logger, { supervise = true } = {}) {
  const boss = new PgBoss({
    connectionString: db.url,
    application_name: 'shapecast-queue',
    max: 4,
    useListenNotify: true,
    supervise,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    // No job of ours waits for another, and how the server vacuums is not ours to warn of.
    flowIntervalSeconds: 24 * 60 * 60,
    monitorVacuum: false,
    schedule: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue met an error'))
  boss.on('warning', ({ message }) => log.debug({ warning: message }, 'the job queue warns'))
  await boss.start()

  const stopping = new AbortController()
  const known = new Map<string, Promise<void>>()
  const ensure = (kind: JobKind): Promise<void> => {
    let made = known.get(kind.name)
    if (made === undefined) {
      made = makeQueue(boss, kind)
      known.set(kind.name, made)
      made.catch(() => known.delete(kind.name))
    }
    return made
  }
  let stopped: Promise<void> | undefined

  return {
    /**
     * Queues a job and returns its id; null where the kind is exclusive and one with this key waits or runs already.
     * With `orm` it is part of that transaction. Of the jobs that wait, the one of the highest `priority` (0) goes first.
     */
    async send<P extends z.ZodType>(
      kind: JobKind<P>,
      payload: z.input<P>,
      options: { key?: string; startAfter?: Date; orm?: Orm; id?: string; priority?: number } = {},
    ): Promise<string | null> {
      await ensure(kind)
      return boss.send(kind.name, kind.payload.parse(payload) as object, {
        ...(options.id === undefined ? {} : { id: options.id }),
        ...(options.key === undefined ? {} : { singletonKey: options.key }),
        ...(options.priority === undefined ? {} : { priority: options.priority }),
        ...(options.startAfter === undefined ? {} : { startAfter: options.startAfter }),
        ...(options.orm === undefined ? {} : { db: fromDrizzle(options.orm, sql) }),
      })
    },

    /** Takes jobs of a kind, `concurrency` at a time (1). A throw puts the job back until its retries are used up. */
    async work<P extends z.ZodType>(
      kind: JobKind<P>,
      { concurrency = 1 }: { concurrency?: number },
      handle: (job: JobRun<z.output<P>>) => Promise<void>,
    ): Promise<void> {
      await ensure(kind)
      const options = {
        localConcurrency: concurrency,
        heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
        pollingIntervalSeconds: 2,
        notifyPollingIntervalSeconds: 5,
      }
      const worker = boss.work(kind.name, options, async ([job]) => {
        if (job === undefined) return
        // What waited meanwhile is taken next, not at the next look for what nobody told of.
        boss.notifyWorker(await worker)
        const abortable = kind.onStop !== 'finish'
        const signal = abortable ? AbortSignal.any([job.signal, stopping.signal]) : job.signal
        try {
          await handle({
            id: job.id,
            payload: kind.payload.parse(job.data),
            attempt: job.retryCount,
            signal,
            stopping: () => stopping.signal.aborted && !job.signal.aborted,
          })
        } catch (error) {
          const about = { err: error, job: job.id, queue: kind.name }
          if (isUnreachable(error)) log.warn(about, 'the database was lost under a job, which goes back to the queue')
          else if (!signal.aborted) log.error(about, 'a job failed')
          throw error
        }
      })
      await worker
    },

    /** Cancels a waiting or running job: within about a second its signal fires, in whatever process it runs. */
    async cancel(kind: JobKind, id: string): Promise<void> {
      await ensure(kind)
      await boss.cancel(kind.name, id)
    },

    /** Whether a job of this id or key waits or runs. */
    async isOpen(kind: JobKind, which: { id: string } | { key: string }): Promise<boolean> {
      await ensure(kind)
      return (await boss.findJobs(kind.name, which)).some(({ state }) => OPEN.has(state))
    },

    /** Numbers for /metrics, by queue. */
    async counts() {
      const queues = await boss.getQueues()
      return queues.map((q) => ({ queue: q.name, waiting: q.queuedCount, active: q.activeCount }))
    },

    /** Takes no new jobs, lets those running end or give up (see `onStop`), and closes; 8 s at most. */
    stop(): Promise<void> {
      stopped ??= (() => {
        stopping.abort(new AppError('unavailable', 'The worker is being stopped.'))
        return boss.stop({ graceful: true, timeout: STOP_MS })
      })()
      return stopped
    },
  }
}

export type Queue = Awaited<ReturnType<typeof createQueue>>

async function makeQueue(boss: PgBoss, kind: JobKind): Promise<void> {
  const options = {
    notify: true,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: kind.expireInSeconds ?? 6 * 60 * 60,
    retryLimit: kind.retryLimit ?? 5,
    retryDelay: kind.retryDelaySeconds ?? 1,
    deleteAfterSeconds: kind.keptForSeconds ?? 7 * 24 * 60 * 60,
  }
  await boss.createQueue(kind.name, { ...options, policy: kind.exclusive === true ? 'exclusive' : 'standard' })
  await boss.updateQueue(kind.name, options)
}

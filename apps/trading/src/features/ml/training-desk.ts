import type { Role } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { TrainingJob, TrainParams } from '@shapecast/contracts/ml'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { SeriesCandles } from './series-candles.ts'
import { requireEnoughCandles } from './train-artifact.ts'
import { jobOf, type TrainingStore } from './training-store.ts'

const DEFAULT_CANDLES = 5000
const JOBS_SHOWN = 50
const MOST_ACTIVE_OF_A_USER = 20
/** Between the row and its job in the queue there is a moment. */
const SETTLING_MS = 10_000
const INTERRUPTED = 'The training was interrupted more than once and given up. Start it again.'

export interface Member {
  userId: string
  role: Role
}

/** The queue of the workers, as this room uses it; a job is known by the id of its row. */
export interface JobQueue {
  send(id: string): Promise<void>
  cancel(id: string): Promise<void>
  /** `alive`: it waits, runs or will be tried again. `over`: it will not. `missing`: the queue never got it. */
  stateOf(id: string): Promise<'alive' | 'over' | 'missing'>
}

export interface TrainOrder {
  version: string
  symbol: string
  timeframe: Timeframe
  limit?: number | undefined
  from?: number | undefined
  to?: number | undefined
  params: TrainParams
}

export interface TrainingDeskDeps {
  store: TrainingStore
  candles: SeriesCandles
  queue: JobQueue
  audit(entry: {
    action: string
    actorId: string | null
    subjectId: string
    address: string | null
    after?: unknown
  }): Promise<void>
  now(): number
}

/** Asking for trainings and following them. */
export const createTrainingDesk = ({ store, candles, queue, audit, now }: TrainingDeskDeps) => {
  const own = async (id: string, member: Member) => {
    const row = await store.find(id)
    if (row === undefined || (row.userId !== member.userId && member.role !== 'admin'))
      throw new AppError('not_found', 'This training does not exist, or somebody else asked for it.')
    return row
  }

  return {
    /**
     * Queues a training and answers the id of its job. The range is settled now, so that a worker that starts over
     * trains on the same candles. Throws `no_candles`, `too_few_candles`, `unknown_symbol`, `conflict`.
     */
    async request(order: TrainOrder, member: Member | null, address: string | null): Promise<string> {
      const series = { venue: candles.venue, symbol: order.symbol, timeframe: order.timeframe }
      const bounded = order.from !== undefined && order.to !== undefined
      const found = await candles.load(order.symbol, order.timeframe, {
        fromMs: order.from,
        toMs: order.to,
        limit: order.limit ?? (bounded ? undefined : DEFAULT_CANDLES),
      })
      requireEnoughCandles(found.length, series, order.params)
      if (member !== null) {
        const recent = await store.list(member.userId, MOST_ACTIVE_OF_A_USER + JOBS_SHOWN)
        if (recent.filter((row) => row.status === 'queued' || row.status === 'running').length >= MOST_ACTIVE_OF_A_USER)
          throw new AppError(
            'too_many_requests',
            `You have ${MOST_ACTIVE_OF_A_USER} trainings waiting or running. Wait for one to end, or cancel one.`,
            { retryAfterS: 60 },
          )
      }
      const row = await store.insert(
        {
          ...series,
          version: order.version,
          fromMs: found.ts[0]!,
          toMs: found.ts[found.length - 1]!,
          params: order.params,
        },
        member?.userId ?? null,
        now(),
      )
      try {
        await queue.send(row.id)
      } catch (error) {
        await store.end(row.id, 'failed', 'The training could not be queued. Ask again.', now())
        throw error
      }
      await audit({
        action: 'model.train',
        actorId: member?.userId ?? null,
        subjectId: row.id,
        address,
        after: { version: order.version, ...series, candles: found.length },
      })
      return row.id
    },

    /** The newest trainings: the caller's, or everybody's for an admin. */
    list: async (member: Member): Promise<TrainingJob[]> =>
      (await store.list(member.role === 'admin' ? 'all' : member.userId, JOBS_SHOWN)).map(jobOf),

    read: async (id: string, member: Member): Promise<TrainingJob> => jobOf(await own(id, member)),

    /** Cancels at once; a worker that is at it stops within about a second. Throws `job_not_running`. */
    async cancel(id: string, member: Member, address: string): Promise<TrainingJob> {
      await own(id, member)
      const row = await store.end(id, 'cancelled', null, now())
      if (row === undefined) throw new AppError('job_not_running', 'This training is already over.')
      await queue.cancel(id)
      await audit({ action: 'model.train_cancel', actorId: member.userId, subjectId: id, address })
      return jobOf(row)
    },

    /** Ends trainings that no worker will take up again, and queues those that never reached the queue. */
    async reconcile(): Promise<void> {
      for (const row of await store.unfinished()) {
        if (now() - row.createdAtMs < SETTLING_MS) continue
        const state = await queue.stateOf(row.id)
        if (state === 'missing') await queue.send(row.id)
        if (state === 'over') await store.end(row.id, 'failed', INTERRUPTED, now())
      }
    },
  }
}
export type TrainingDesk = ReturnType<typeof createTrainingDesk>

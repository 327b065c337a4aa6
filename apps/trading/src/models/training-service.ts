import { isManager } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { MOST_CANDLES } from '@shapecast/contracts/training-candles'
import type { TrainingJob, TrainParams } from '@shapecast/contracts/trainings'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { jobKind, type Queue } from '@shapecast/platform/queue'
import type { Caller } from '@shapecast/platform/sessions'
import { z } from 'zod'
import { endGivenUp } from '../ground/job-end.ts'
import type { CandleRange, VenueCandles } from '../market/series-market.ts'
import { requireEnoughCandles } from './train-artifact.ts'
import { jobOf, requestOf, type TrainingStore } from './training-store.ts'
import { nextTurn } from './training-turns.ts'

/** Its payload names the row of the training; a worker that has to stop gives it back. */
export const TRAINING = jobKind({ name: 'training', payload: z.object({ id: z.uuid() }), onStop: 'abort' })

const DEFAULT_CANDLES = 5000
const JOBS_SHOWN = 50
const MOST_ACTIVE_OF_A_USER = 20
const SUPERSEDED = 'Somebody asked for a training of their own on the same series.'
const INTERRUPTED = 'The training was interrupted more than once and given up. Start it again.'

export interface TrainOrder {
  version: string
  symbol: string
  timeframe: Timeframe
  limit?: number | undefined
  from?: number | undefined
  to?: number | undefined
  params: TrainParams
}

/** Both times given decide the range; else the newest 5,000 candles, or `limit`, within what is given. */
const rangeOfOrder = ({ from, to, limit }: TrainOrder): CandleRange => ({
  fromMs: from,
  toMs: to,
  limit: limit ?? (from !== undefined && to !== undefined ? MOST_CANDLES + 1 : DEFAULT_CANDLES),
})

export interface TrainingServiceDeps {
  db: Database
  store: TrainingStore
  candles: VenueCandles
  queue: Queue
  now(): number
}

type Asker = Pick<Caller, 'userId' | 'role'>

/** Asking for trainings and following them. */
export const createTrainingService = ({ db, store, candles, queue, now }: TrainingServiceDeps) => {
  const own = async (id: string, asker: Asker) => {
    const found = await store.findJob(id)
    if (found === undefined || (found.row.userId !== asker.userId && asker.role !== 'admin'))
      throw new AppError('not_found', 'This training does not exist, or somebody else asked for it.')
    return found
  }

  /** Ends the training that the installation itself asked for on the series; answers its id. */
  const endAutomatic = async (tx: Orm, wanted: Parameters<TrainingStore['automatic']>[0]) => {
    const id = await store.automatic(wanted, tx)
    return id !== undefined && (await store.end(id, 'cancelled', SUPERSEDED, now(), tx)) !== undefined ? id : null
  }

  /**
   * Queues a training and answers the id of its job; `asker` is null where the installation asks by itself. The
   * range is settled now, so that a worker that starts over trains on the same candles. Throws `no_candles`,
   * `too_few_candles`, `bad_input` (more than 100,000), `unknown_symbol`, `conflict`, `too_many_requests`.
   */
  async function request(order: TrainOrder, asker: Asker | null, address: string | null): Promise<string> {
    const series = { venue: candles.venue, symbol: order.symbol, timeframe: order.timeframe }
    const found = await candles.load(order.symbol, order.timeframe, rangeOfOrder(order))
    requireEnoughCandles(found.length, series, order.params)
    if (found.length > MOST_CANDLES)
      throw new AppError(
        'bad_input',
        `This range has more than ${MOST_CANDLES} candles of ${order.symbol} ${order.timeframe}. Choose a shorter one, or a larger timeframe.`,
        { field: 'from' },
      )
    const byManager = asker === null || isManager(asker.role)
    const range = { fromMs: found.ts[0]!, toMs: found.ts[found.length - 1]! }
    const { id, superseded } = await db.orm.transaction(async (tx) => {
      const request = { ...series, ...range, version: order.version, params: order.params, byManager }
      const turn = await nextTurn(tx, asker?.userId ?? null)
      if (asker !== null && (await store.activeOf(asker.userId, tx)) >= MOST_ACTIVE_OF_A_USER)
        throw new AppError(
          'too_many_requests',
          `You have ${MOST_ACTIVE_OF_A_USER} trainings waiting or running. Wait for one to end, or cancel one.`,
          { retryAfterS: 60 },
        )
      // Only a manager's stands in for the installation's own: anybody else's may not predict by itself.
      const superseded =
        asker === null || !byManager ? null : await endAutomatic(tx, { ...series, version: order.version })
      const id = await store.insert(tx, request, asker?.userId ?? null, turn, now())
      await queue.send(TRAINING, { id }, { id, orm: tx, priority: -turn })
      await recordAudit(tx, {
        actorId: asker?.userId ?? null,
        address,
        action: 'training.requested',
        subject: { type: 'training', id },
        after: { ...request, candles: found.length },
      })
      return { id, superseded }
    })
    // Its worker finds out by itself where this is not said any more.
    if (superseded !== null) await queue.cancel(TRAINING, superseded)
    return id
  }

  return {
    request,

    /** The newest trainings: the caller's, or everybody's for an admin. */
    list: (asker: Asker): Promise<TrainingJob[]> =>
      store.list(asker.role === 'admin' ? 'all' : asker.userId, JOBS_SHOWN),

    read: async (id: string, asker: Asker): Promise<TrainingJob> => (await own(id, asker)).job,

    /** Cancels at once; a worker that is at it stops within about a second. Throws `job_not_running`. */
    async cancel(id: string, asker: Asker, address: string): Promise<TrainingJob> {
      await own(id, asker)
      const row = await db.orm.transaction(async (tx) => {
        const ended = await store.end(id, 'cancelled', null, now(), tx)
        if (ended === undefined) throw new AppError('job_not_running', 'This training is already over.')
        await recordAudit(tx, {
          actorId: asker.userId,
          address,
          action: 'training.cancelled',
          subject: { type: 'training', id },
        })
        return ended
      })
      await queue.cancel(TRAINING, id)
      return jobOf(row)
    },

    /**
     * Asks once more for a training that is over, on the same candles with the same settings. Throws as `request` does,
     * and `conflict` while it is not over.
     */
    async repeat(id: string, asker: Asker, address: string): Promise<string> {
      const { row } = await own(id, asker)
      const { venue, symbol, timeframe, version, fromMs, toMs, params } = requestOf(row)
      if (row.status === 'queued' || row.status === 'running')
        throw new AppError('conflict', 'This training is not over yet. Wait for it, or cancel it.')
      if (venue !== candles.venue)
        throw new AppError('conflict', `This training was on candles of ${venue}; this market is ${candles.venue}.`)
      const order = { version, symbol, timeframe: timeframe as Timeframe, from: fromMs, to: toMs, params }
      return request(order, asker, address)
    },

    /** Ends, with a text, the trainings that the queue has given up: none stays "running" for ever. */
    async reconcile(): Promise<void> {
      const end = ({ id }: { id: string }) => store.end(id, 'failed', INTERRUPTED, now())
      await endGivenUp(queue, TRAINING, await store.unfinished(), ({ id }) => ({ id }), end)
    },
  }
}
export type TrainingService = ReturnType<typeof createTrainingService>

import { isDeepStrictEqual } from 'node:util'
import { isManager } from '@shapecast/contracts/auth'
import type { BodyOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import { MOST_CANDLES } from '@shapecast/contracts/training-candles'
import type { TrainingJob, train } from '@shapecast/contracts/trainings'
import { recordAudit, SYSTEM } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import { listJobs } from '../ground/jobs/job-rows.ts'
import type { Jobs, Meeting } from '../ground/jobs/jobs.ts'
import type { Asker } from '../ground/ownership.ts'
import type { CandleRange, VenueCandles } from '../market/series-market.ts'
import { countTrials } from '../trials/trials.ts'
import { requireEnoughCandles } from './train-artifact.ts'
import { keyOfTraining, TRAINING, type Training, type TrainingRequest, titleOf } from './training-kind.ts'
import { shownTrainings } from './training-reads.ts'

export const DEFAULT_CANDLES = 5000
const JOBS_SHOWN = 50
const SUPERSEDED = 'Somebody asked for a training of their own on the same series.'

export type TrainOrder = BodyOf<typeof train> & {
  /** The result waits to be promoted, however good it is. */
  isOffer?: boolean | undefined
}

/** Both times given decide the range; else the newest 5,000 candles, or `limit`, within what is given. */
const rangeOfOrder = ({ from, to, limit }: TrainOrder): CandleRange => ({
  fromMs: from,
  toMs: to,
  limit: limit ?? (from !== undefined && to !== undefined ? MOST_CANDLES + 1 : DEFAULT_CANDLES),
})

/** Who asks for a training; the address is null where it is asked for by a schedule of theirs. */
type Requester = Asker & { readonly address: string | null }

/** The same settings of the same candles, but for those that have closed since. */
const isSame = (open: TrainingRequest, { asked, params }: TrainingRequest): boolean =>
  isDeepStrictEqual(open.params, params) && (open.asked === undefined || isDeepStrictEqual(open.asked, asked))

/**
 * What becomes of a request while the same version trains on the same series: with the same settings it joins, and a
 * manager who joins stands behind the result. Throws `conflict` with other settings, but for a manager's, which takes the
 * place of the one that the installation asked for by itself: anybody else's may not predict by itself.
 */
export function meet(open: Training, request: TrainingRequest, isInstallation: boolean): Meeting<TrainingRequest> {
  if (isSame(open.payload, request))
    return { join: true, payload: { ...open.payload, byManager: open.payload.byManager || request.byManager } }
  const isAutomatic = open.userId === null && open.queueId !== null
  if (isAutomatic && request.byManager && !isInstallation) return { join: false, error: SUPERSEDED }
  const { version, symbol, timeframe } = request
  throw new AppError(
    'conflict',
    `${version} is already being trained on ${symbol} ${timeframe} with other settings. Wait for it, cancel it, or train under another version name.`,
  )
}

/**
 * What is to be trained. The range is settled now, so that a worker that starts over trains on the same candles. Throws
 * `no_candles`, `too_few_candles`, `bad_input` (more than 100,000), `unknown_symbol`.
 */
export async function trainingRequest(
  candles: VenueCandles,
  order: TrainOrder,
  byManager: boolean,
): Promise<TrainingRequest> {
  const { version, symbol, timeframe } = order
  const series = { venue: candles.venue, symbol, timeframe }
  const range = rangeOfOrder(order)
  const found = await candles.load(symbol, timeframe, range)
  requireEnoughCandles(found.length, series, order.params)
  if (found.length > MOST_CANDLES)
    throw new AppError(
      'bad_input',
      `This range has more than ${MOST_CANDLES} candles of ${symbol} ${timeframe}. Choose a shorter one, or a larger timeframe.`,
      { field: 'from' },
    )
  const [fromMs, toMs] = [found.ts[0]!, found.ts[found.length - 1]!]
  // As JSON keeps it: what is not there is not there as a name either.
  const { params, asked } = JSON.parse(JSON.stringify({ params: order.params, asked: range }))
  return { ...series, version, fromMs, toMs, params, asked, byManager, ...(order.isOffer && { isOffer: true }) }
}

/** Asking for trainings and following them. */
export const createTrainingService = ({ db, jobs, candles }: { db: Database; jobs: Jobs; candles: VenueCandles }) => {
  /**
   * Queues a training and answers the id of its job, or of the same one that is under way; `asker` is null where the
   * installation asks by itself. Throws as `trainingRequest` does, `conflict`, `too_many_requests`.
   */
  async function request(order: TrainOrder, asker: Requester | null): Promise<string> {
    const payload = await trainingRequest(candles, order, asker === null || isManager(asker.role))
    const asked = { userId: asker?.userId ?? null, key: keyOfTraining(payload), title: titleOf(payload), payload }
    return db.orm.transaction(async (tx) => {
      const { id, isNew } = await jobs.request(tx, TRAINING, asked, (open) => meet(open, payload, asker === null))
      if (asker !== null) {
        const { venue, symbol, timeframe, version, fromMs, toMs, params } = payload
        const series = { venue, symbols: [symbol], timeframe }
        const tried = { version, fromMs, toMs, params }
        await countTrials(tx, { userId: asker.userId, series, kind: 'training', tried })
      }
      await recordAudit(tx, asker ?? SYSTEM, {
        action: isNew ? 'training.requested' : 'training.joined',
        subject: { type: 'training', id },
        after: payload,
      })
      return id
    })
  }

  return {
    request,

    /** The newest trainings: those that the caller asked for or joined, or everybody's for an admin. */
    list: async (asker: Asker): Promise<TrainingJob[]> =>
      shownTrainings(db.orm, await listJobs(db.orm, TRAINING, asker, JOBS_SHOWN)),

    read: async (id: string, asker: Asker): Promise<TrainingJob> =>
      (await shownTrainings(db.orm, [await jobs.read(TRAINING, id, asker)]))[0]!,

    /**
     * Asks once more for a training that is over, on the same candles with the same settings. Throws as `request` does,
     * and `conflict` while it is not over.
     */
    async repeat(id: string, asker: Member): Promise<string> {
      const { status, payload } = await jobs.read(TRAINING, id, asker)
      const { venue, fromMs: from, toMs: to, ...order } = payload
      if (status === 'queued' || status === 'running')
        throw new AppError('conflict', 'This training is not over yet. Wait for it, or cancel it.')
      if (venue !== candles.venue)
        throw new AppError('conflict', `This training was on candles of ${venue}; this market is ${candles.venue}.`)
      return request({ ...order, from, to }, asker)
    },
  }
}
export type TrainingService = ReturnType<typeof createTrainingService>

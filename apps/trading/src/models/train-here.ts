import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shapecast/contracts/errors'
import { recordAudit, SYSTEM } from '@shapecast/platform/audit'
import type { Database } from '@shapecast/platform/database/database'
import { newId } from '@shapecast/platform/database/new-id'
import type { Logger } from '@shapecast/platform/logging'
import { carryOut } from '../ground/jobs/carry-out.ts'
import { endJob, findJob, holdNewest, insertJob, joinJob, requeueJob } from '../ground/jobs/job-rows.ts'
import type { Jobs } from '../ground/jobs/jobs.ts'
import type { VenueCandles } from '../market/series-market.ts'
import { keyOfTraining, type Shown, TRAINING, type Training, type TrainingRequest, titleOf } from './training-kind.ts'
import type { TrainingWork } from './training-run.ts'
import { meet, type TrainOrder, trainingRequest } from './training-service.ts'

/** Who carries a training out and was silent for so long is taken to have died: the word comes twice a second. */
const SILENT_MS = 15_000
const LOOK_EVERY_MS = 500

export interface TrainHereDeps {
  db: Database
  jobs: Pick<Jobs, 'requeue'>
  candles: VenueCandles
  work: TrainingWork
  log: Logger
  now(): number
}

/**
 * Trains in this process, whether a worker runs or not, for the installation's commands, and answers the id
 * of the artifact. The same training that is under way already is followed to its end, or carried out here where nobody is
 * at it: it waits for its turn, or its worker has died. One that was begun by somebody else goes back to the queue where
 * `signal` fires, any other is cancelled. Throws as `trainingRequest` does, `conflict` beside one with other settings, and
 * `unprocessable` with the error of one that has failed.
 */
export async function trainHere(
  deps: TrainHereDeps,
  order: TrainOrder,
  signal: AbortSignal,
  show: (progress: Shown) => void,
): Promise<string> {
  const request = await trainingRequest(deps.candles, order, true)
  for (;;) {
    const { training, isOwn } = await claim(deps, request)
    if (training.queueId === null && training.status === 'queued') await carry(deps, training, isOwn, signal, show)
    for (;;) {
      const now = (await findJob(deps.db.orm, TRAINING, training.id))!
      show(now.progress)
      if (now.status === 'completed') return now.result!.artifactId
      if (now.status === 'failed') throw new AppError('unprocessable', now.error!)
      if (now.status === 'cancelled') throw new AppError('conflict', now.error ?? 'The training was cancelled.')
      if (isIdle(now, deps.now())) break
      await wait(LOOK_EVERY_MS)
      signal.throwIfAborted()
    }
  }
}

const isIdle = ({ status, aliveAtMs }: Training, nowMs: number): boolean =>
  status === 'queued' || aliveAtMs < nowMs - SILENT_MS

/** The training to follow, or, queued and without a message of the queue, to carry out here. */
const claim = ({ db, now }: TrainHereDeps, request: TrainingRequest): Promise<{ training: Training; isOwn: boolean }> =>
  db.orm.transaction(async (tx) => {
    const key = keyOfTraining(request)
    const open = await holdNewest(tx, TRAINING, key, 'open')
    const met = open === undefined ? undefined : meet(open, request, false)
    if (open !== undefined && met?.join === true) {
      const { payload } = met
      if (!isIdle(open, now())) {
        await joinJob(tx, open.id, { userId: null, payload })
        return { training: open, isOwn: false }
      }
      const change = { queueId: null, payload }
      return { training: (await requeueJob(tx, open, change, now())) as Training, isOwn: false }
    }
    if (open !== undefined && met?.join === false)
      await endJob(tx, TRAINING, { id: open.id }, { status: 'cancelled', error: met.error }, now())
    const id = newId()
    const job = { id, key, title: titleOf(request), userId: null, payload: request, turn: 0, queueId: null }
    const training = await insertJob(tx, TRAINING, job, now())
    await recordAudit(tx, SYSTEM, {
      action: 'training.requested',
      subject: { type: 'training', id },
      after: { ...request, by: 'command line' },
    })
    return { training, isOwn: true }
  })

async function carry(
  { db, jobs, work, log, now }: TrainHereDeps,
  { id }: Training,
  isOwn: boolean,
  signal: AbortSignal,
  show: (progress: Shown) => void,
): Promise<void> {
  const shown: TrainingWork = {
    ...work,
    run: (job, control) =>
      work.run(job, {
        ...control,
        report(progress) {
          show(progress)
          control.report(progress)
        },
      }),
  }
  try {
    await carryOut({ orm: db.orm, log, now }, TRAINING, shown, { id, queueId: null }, signal)
  } catch (error) {
    await db.orm.transaction(async (tx) => {
      const left = (await findJob(tx, TRAINING, id))!
      if (isOwn) await endJob(tx, TRAINING, { id, queueId: null }, { status: 'cancelled', error: null }, now())
      else if (left.queueId === null && left.finishedAtMs === null) await jobs.requeue(tx, TRAINING, left)
    })
    throw error
  }
}

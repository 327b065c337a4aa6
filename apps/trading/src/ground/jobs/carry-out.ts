import { AppError } from '@shapecast/contracts/errors'
import { isUnreachable } from '@shapecast/platform/database/unreachable'
import type { Logger } from '@shapecast/platform/logging'
import { startBeats } from './beats.ts'
import { beat, beginJob, completeJob, endJob } from './job-rows.ts'
import type { Control, Job, Kind, Progress, SharedWork, Work } from './kind.ts'
import { type SharingDeps, shareParts } from './share-parts.ts'
import { createTimeLeft } from './time-left.ts'

const BEAT_EVERY_MS = 500

export interface CarryOutDeps extends SharingDeps {
  log: Logger
}

/**
 * Carries out one queued job, or one that a dead worker has left behind. It ends as completed, failed with a text, or
 * cancelled. Where `signal` fires because this process stops, or where the database cannot be reached, the job is left as
 * it is and the error thrown on, so that the queue hands it to another worker. Answers what was made, or the error as it was
 * thrown; null where the job is not this attempt's, or no longer. `queueId` is null where no queue carries it.
 */
export async function carryOut<P, G extends Progress, R, M>(
  { orm, log, now, callHelp }: CarryOutDeps,
  kind: Kind<P, G, R>,
  work: Work<P, G, R, M> | SharedWork<P, G, R, M>,
  { id, queueId }: { id: string; queueId: string | null },
  signal: AbortSignal,
): Promise<{ made: M } | { error: unknown } | null> {
  const attempt = await beginJob(orm, kind, id, queueId, now())
  if (attempt === undefined) return null
  const withTimeLeft = createTimeLeft()
  let unwritten: G | undefined
  const beats = startBeats(
    () => {
      const progress = unwritten
      unwritten = undefined
      return beat(orm, attempt, progress, now())
    },
    BEAT_EVERY_MS,
    (error) => log.warn({ err: error, [kind.name]: id }, 'a job could not say that it is alive'),
  )
  const control: Control<G> = {
    signal: AbortSignal.any([signal, beats.lost]),
    report(progress) {
      unwritten = withTimeLeft(progress)
    },
    async write(progress) {
      unwritten = undefined
      await beat(orm, attempt, withTimeLeft(progress), now())
    },
  }
  try {
    let job: Job<P, G, R> = { ...attempt, payload: kind.payload.parse(attempt.payload) }
    for (;;) {
      const made =
        'open' in work
          ? await shareParts({ orm, now, callHelp }, id, await work.open(job, control.signal), control)
          : await work.run(job, control)
      const done = await orm.transaction((tx) => completeJob(tx, kind, work, attempt, made, now()))
      if (done === 'completed') return { made }
      if (done === 'lost') return null
      job = done
    }
  } catch (error) {
    if (beats.lost.aborted) return null
    const failed = { status: 'failed', error: failureText(error, kind.name, id, signal, log) } as const
    await orm.transaction((tx) => endJob(tx, kind, attempt, failed, now()))
    return { error }
  } finally {
    await beats.stop()
  }
}

/** The words with which a job ends that threw; what is no expected failure goes to the log. */
function failureText(
  error: unknown,
  kind: string,
  id: string,
  signal: AbortSignal,
  log: Pick<Logger, 'error'>,
): string {
  if (signal.aborted || isUnreachable(error)) throw error
  if (error instanceof AppError) return error.message
  log.error({ err: error, [kind]: id }, `a job of the kind ${kind} failed`)
  return `The ${kind} failed by an error of the program. Its log has the details.`
}

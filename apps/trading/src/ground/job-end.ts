import { AppError } from '@shapecast/contracts/errors'
import { isUnreachable } from '@shapecast/platform/database/unreachable'
import type { Logger } from '@shapecast/platform/logging'
import type { JobKind, Queue } from '@shapecast/platform/queue'

/**
 * The words with which a job ends that threw `error`; what is no expected failure goes to the log. Where it is not the job
 * that failed, because its worker stops or the database was lost under it, the error is thrown on: the row stays as it is,
 * and the queue hands the job to another worker. `what` is the job as people call it, such as "training".
 */
export function failureText(
  error: unknown,
  job: { what: string; id: string; signal: AbortSignal; log: Pick<Logger, 'error'> },
): string {
  if (job.signal.aborted || isUnreachable(error)) throw error
  if (error instanceof AppError) return error.message
  job.log.error({ err: error, [job.what]: job.id }, `a job of the kind ${job.what} failed`)
  return `The ${job.what} failed by an error of the program. Its log has the details.`
}

/** Calls `end` for each row whose job neither waits nor runs any more: none stays "running" for ever. */
export async function endGivenUp<Row>(
  queue: Pick<Queue, 'isOpen'>,
  kind: JobKind,
  rows: readonly Row[],
  jobOf: (row: Row) => { id: string } | { key: string },
  end: (row: Row) => Promise<unknown>,
): Promise<void> {
  for (const row of rows) if (!(await queue.isOpen(kind, jobOf(row)))) await end(row)
}

import { isManager, type Role } from '@shapecast/contracts/auth'
import type { JobKind } from '@shapecast/contracts/job-status'
import type { Orm } from '@shapecast/platform/database/database'
import type { z } from 'zod'
import type { JobRow } from './tables.ts'

export interface Progress {
  /** Done, of `total`, in whatever unit the kind counts in. */
  readonly current: number
  readonly total: number
  /** What is left should take so many seconds; null before that can be told. Worked out for kinds that say nothing of it. */
  readonly leftS?: number | null | undefined
}

/** A job as its room sees it. */
export type Job<Payload, Shown extends Progress, Result> = Omit<JobRow, 'payload' | 'progress' | 'result'> & {
  payload: Payload
  progress: Shown
  /** Null until it is completed. */
  result: Result | null
}

/** A kind of job: what every process has to know of it. The worker alone knows the work itself, see `Work`. */
export interface Kind<Payload, Shown extends Progress = Progress, Result = unknown> {
  readonly name: JobKind
  readonly payload: z.ZodType<Payload>
  /** What a job shows before it has begun. */
  readonly start: Shown
  /** Who sees it beside those who asked and admins. */
  readonly visibility: JobRow['visibility']
  /** How many of one user may be open, and what is said to somebody who asks for more. */
  readonly limit?: { readonly most: number; readonly error: string; readonly retryAfterS: number }
  /** What is said to somebody who may not see a job, or asks for one that is not there. */
  readonly unknown: string
  /** The error of a job whose workers have died too often. */
  readonly givenUp: string
  /** Asked for again, one that is over is queued again and goes on from its progress. */
  readonly resumes?: true
  /** One that failed or was cancelled goes on for who asked, from the parts that were done. */
  readonly goesOn?: true
  /** Longest that one attempt may take, in seconds. */
  readonly expireInSeconds?: number
  /** How often it goes back to the queue; 5 times. */
  readonly retryLimit?: number
  /** How long one that is over is kept; for good where nothing is said. */
  readonly keptMs?: number
  /** In the transaction that ends a job, however it ends. */
  ended?(tx: Orm, job: Job<Payload, Shown, Result>, nowMs: number): Promise<void>
}

export interface Control<Shown extends Progress> {
  /** Fires when the job is cancelled or carried out by somebody else, and when this process has to stop. */
  readonly signal: AbortSignal
  /** Shows this from the next beat on. */
  report(progress: Shown): void
  /** Writes it now. */
  write(progress: Shown): Promise<void>
}

/** Work that falls into parts, which any process may do, in any order. The same basis gives the same parts, to the bit. */
export interface PartedWork<Part, Shown extends Progress, Made> {
  /** Hash of all that the parts rest on. */
  readonly basis: string
  readonly count: number
  /** So many parts are done at once in this process. */
  readonly lanes: number
  /** Answers what the structured clone can carry. */
  run(part: number): Promise<Part>
  /** How far it is. */
  shown(done: number): Shown
  /** Of all parts, in their order. */
  join(parts: readonly Part[]): Promise<Made>
  close(): Promise<void>
}

/** How a kind of job is carried out, by one worker. */
export interface Work<Payload, Shown extends Progress, Result, Made> extends Completion<Payload, Shown, Result, Made> {
  /** An attempt after a dead one begins here too, with the progress that was written last. */
  run(job: Job<Payload, Shown, Result>, control: Control<Shown>): Promise<Made>
}

/** How a kind of job is carried out of which an attempt after a dead one does what is left, and other workers some parts. */
export interface SharedWork<Payload, Shown extends Progress, Result, Made>
  extends Completion<Payload, Shown, Result, Made> {
  open(
    job: Pick<Job<Payload, Shown, Result>, 'payload' | 'userId' | 'createdAtMs'>,
    signal: AbortSignal,
  ): Promise<PartedWork<unknown, Shown, Made>>
}

interface Completion<Payload, Shown extends Progress, Result, Made> {
  /**
   * Stores what was made, in the transaction that completes the job. Null where more has been asked of the job meanwhile:
   * then it runs again.
   */
  complete(
    tx: Orm,
    job: Job<Payload, Shown, Result>,
    made: Made,
    nowMs: number,
  ): Promise<{ result: Result; progress: Shown } | null>
}

/** A kind that is kept with others, whatever it carries. */
// biome-ignore lint/suspicious/noExplicitAny: a list of kinds has no payload in common
export type AnyKind = Kind<any, any, any>
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnySharedWork = SharedWork<any, any, any, any>
/** A job of a kind. */
export type JobOf<K extends AnyKind> =
  K extends Kind<infer Payload, infer Shown, infer Result> ? Job<Payload, Shown, Result> : never

/** Those to whom the end of a job is told. */
export const askersOf = ({ userId, joined }: Pick<JobRow, 'userId' | 'joined'>): string[] =>
  userId === null ? joined : [userId, ...joined]

/** Whether a job, with all that it shows, is this user's to see. */
export const maySee = (
  job: Pick<JobRow, 'userId' | 'joined' | 'visibility'>,
  { userId, role }: { userId: string; role: Role },
): boolean => role === 'admin' || (job.visibility === 'managers' && isManager(role)) || askersOf(job).includes(userId)

/** Cancelling takes the job from everybody who has joined it: that is for who asked first, and for admins. */
export const mayCancel = (job: Pick<JobRow, 'userId'>, { userId, role }: { userId: string; role: Role }): boolean =>
  role === 'admin' || job.userId === userId

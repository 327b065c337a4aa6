import { z } from 'zod'

export const JobStatus = z.enum(['queued', 'running', 'completed', 'failed', 'cancelled'])
export type JobStatus = z.infer<typeof JobStatus>

/** How long what is left of a job should take, seconds; null before that can be told. */
export const leftS = z.number().nullish()

export const JobKind = z.enum(['training', 'backtest', 'download', 'importance', 'search', 'walk_forward', 'batch'])
export type JobKind = z.infer<typeof JobKind>

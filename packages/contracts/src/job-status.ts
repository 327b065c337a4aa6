import { z } from 'zod'

export const JobStatus = z.enum(['queued', 'running', 'completed', 'failed', 'cancelled'])
export type JobStatus = z.infer<typeof JobStatus>

export const JobKind = z.enum(['training', 'backtest', 'download', 'importance', 'search', 'walk_forward', 'batch'])
export type JobKind = z.infer<typeof JobKind>

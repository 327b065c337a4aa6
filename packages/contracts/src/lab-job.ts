import { z } from 'zod'
import { FILE_FORMATS } from './backtest.ts'
import { fileOf, tradingEndpoint } from './endpoint.ts'
import { JobStatus, leftS } from './job-status.ts'
import { VenueName } from './market.ts'
import { epochMs } from './units.ts'

/** A search, a walk or a batch as a list shows it. */
export const LabJob = z.object({
  id: z.uuid(),
  status: JobStatus,
  /** Done of those to do: combinations, folds or cells. */
  progress: z.object({
    current: z.number().int(),
    total: z.number().int(),
    leftS,
    /** True where candles or a model had changed when it was to go on, so that it began again. */
    beganAgain: z.boolean().optional(),
  }),
  error: z.string().nullable(),
  createdAt: epochMs(),
  venue: VenueName,
  /** What it is about, in a few words. */
  title: z.string(),
})
export type LabJob = z.infer<typeof LabJob>

/** A result of the lab as a file. */
export const labFile = <Path extends `/api/${string}/:id/export`>(path: Path, summary: string) =>
  tradingEndpoint(`GET ${path}`, {
    summary: `${summary} as a CSV or Parquet file. Times are UTC. Its own user or an admin.`,
    query: z.object({ format: z.enum(FILE_FORMATS).default('csv') }),
    ...fileOf('application/octet-stream'),
    errors: ['not_found', 'conflict'],
  })

import type { JobKind } from '@shapecast/contracts/job-status'
import { sql } from 'drizzle-orm'
import { type KeptRows, ofUser } from '../kept-of-users.ts'
import { jobs } from './tables.ts'

export const jobsOfUser = (kind: JobKind) =>
  ({
    table: jobs,
    columns: 'id, payload, status, progress, result, error, created_at_ms, finished_at_ms',
    where: (whose) => sql`${ofUser(whose)} and kind = ${kind}`,
  }) satisfies KeptRows

import type { FeatureImportance } from '@shapecast/contracts/importance'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { deleteEarlier } from '../../ground/jobs/job-rows.ts'
import type { Kind, Progress } from '../../ground/jobs/kind.ts'
import { jobs } from '../../ground/jobs/tables.ts'

const MOST_OPEN_OF_A_USER = 3

/** What an artifact looks at is measured by a job with the artifact's id as its key; its result is the report. */
export const IMPORTANCE: Kind<{ artifactId: string }, Progress, FeatureImportance> = {
  name: 'importance',
  payload: z.object({ artifactId: z.uuid() }),
  start: { current: 0, total: 1 },
  visibility: 'askers',
  limit: {
    most: MOST_OPEN_OF_A_USER,
    error: `You have ${MOST_OPEN_OF_A_USER} of these waiting or running. Wait for one to end.`,
    retryAfterS: 10,
  },
  unknown: 'This report does not exist, or somebody else asked for it.',
  givenUp: 'It was interrupted more than once and given up. Ask again.',
  retryLimit: 3,
  expireInSeconds: 15 * 60,
  async ended(tx, job) {
    if (job.status === 'completed') await deleteEarlier(tx, job)
  },
}

/** Whether an artifact `a` is being measured. */
export const isMeasured = sql`exists (select from ${jobs} j where j.kind = ${IMPORTANCE.name} and j.key = a.id::text
  and j.status in ('queued', 'running'))`

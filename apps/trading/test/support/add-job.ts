import { randomUUID } from 'node:crypto'
import type { JobKind } from '@shapecast/contracts/job-status'
import type { Database } from '@shapecast/platform/database/database'
import { jobs } from '../../src/ground/jobs/tables.ts'

/** Puts a job in place as it stands, without a message in the queue. Answers its id. */
export async function addJob(
  { orm }: Pick<Database, 'orm'>,
  job: Partial<typeof jobs.$inferInsert> & { kind: JobKind },
): Promise<string> {
  const id = randomUUID()
  const progress = { current: 0, total: 9 }
  const made = { createdAtMs: 0, aliveAtMs: 0, visibility: 'askers', payload: {}, progress, status: 'queued' } as const
  await orm.insert(jobs).values({ id, queueId: id, ...made, ...job })
  return id
}

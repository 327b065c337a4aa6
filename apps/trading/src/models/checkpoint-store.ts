import type { TrainCheckpoint } from '@shapecast/ml/train/train-networks'
import { eq, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { jobs } from '../ground/jobs/tables.ts'
import { checkpoints } from './tables.ts'

/** Keeps what a training needs to go on after its last whole epoch, should its process die. */
export const createCheckpointStore = (db: NodePgDatabase) => ({
  async load(trainingId: string): Promise<TrainCheckpoint> {
    const rows = await db.select().from(checkpoints).where(eq(checkpoints.trainingId, trainingId))
    return Object.fromEntries(rows.map((row) => [row.network, new Uint8Array(row.state)]))
  },

  /** Keeps nothing of a training that is over: it may have been cancelled meanwhile. */
  async save(trainingId: string, network: keyof TrainCheckpoint, bytes: Uint8Array): Promise<void> {
    const state = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    await db.execute(sql`
      insert into ${checkpoints} (training_id, network, state)
      select id, ${network}, ${state} from ${jobs} where id = ${trainingId} and status = 'running' for share
      on conflict (training_id, network) do update set state = excluded.state`)
  },

  async discard(trainingId: string): Promise<void> {
    await db.delete(checkpoints).where(eq(checkpoints.trainingId, trainingId))
  },
})
export type CheckpointStore = ReturnType<typeof createCheckpointStore>

import type { Dataset } from '@shapecast/contracts/datasets'
import type { Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { and, count, desc, eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type DatasetRow, datasets } from './tables.ts'

const shown = ({ userId: _user, fromTs, toTs, createdAtMs, ...row }: DatasetRow): Dataset => ({
  ...row,
  timeframe: row.timeframe as Dataset['timeframe'],
  from: fromTs,
  to: toTs,
  createdAt: createdAtMs,
})

/** Each user's datasets on one venue. */
export const createDatasetStore = (db: NodePgDatabase, venue: string) => {
  const own = (userId: string) => and(eq(datasets.userId, userId), eq(datasets.venue, venue))
  return {
    /**
     * Adds a dataset, or finds the one that is there already; undefined where it would be one more than `most`. Holds the
     * user's datasets until the transaction ends.
     */
    async save(
      tx: Orm,
      row: Omit<typeof datasets.$inferInsert, 'id' | 'venue'>,
      most: number,
    ): Promise<{ dataset: Dataset; isNew: boolean } | undefined> {
      await lockUntilCommit(tx, `datasets of ${row.userId}`)
      const same = and(
        own(row.userId),
        eq(datasets.symbol, row.symbol),
        eq(datasets.timeframe, row.timeframe),
        eq(datasets.fromTs, row.fromTs),
        eq(datasets.toTs, row.toTs),
        eq(datasets.hash, row.hash),
      )
      const [there] = await tx.select().from(datasets).where(same)
      if (there !== undefined) return { dataset: shown(there), isNew: false }
      const [kept] = await tx.select({ n: count() }).from(datasets).where(own(row.userId))
      if ((kept?.n ?? 0) >= most) return undefined
      const [added] = await tx
        .insert(datasets)
        .values({ ...row, venue })
        .returning()
      return { dataset: shown(added!), isNew: true }
    },

    list: async (userId: string): Promise<Dataset[]> =>
      (await db.select().from(datasets).where(own(userId)).orderBy(desc(datasets.createdAtMs), desc(datasets.id))).map(
        shown,
      ),

    async active(userId: string): Promise<Dataset | null> {
      const [row] = await db
        .select()
        .from(datasets)
        .where(and(own(userId), datasets.active))
      return row === undefined ? null : shown(row)
    },

    /**
     * Makes one of the user's datasets the active one, or none for null; answers it and the id of the one before. Undefined
     * where it is not theirs.
     */
    async choose(
      tx: Orm,
      userId: string,
      id: string | null,
    ): Promise<{ chosen: Dataset | null; before: string | null } | undefined> {
      // All of a user's rows are taken first, so that two choices at once come one after the other.
      const rows = await tx.select().from(datasets).where(own(userId)).orderBy(datasets.id).for('update')
      if (id !== null && !rows.some((row) => row.id === id)) return undefined
      const before = rows.find(({ active }) => active)?.id ?? null
      await tx
        .update(datasets)
        .set({ active: false })
        .where(and(own(userId), datasets.active))
      if (id === null) return { chosen: null, before }
      const [row] = await tx.update(datasets).set({ active: true }).where(eq(datasets.id, id)).returning()
      return { chosen: shown(row!), before }
    },

    /** Removes one of the user's datasets and answers what it was; undefined where it is not theirs. */
    async remove(tx: Orm, userId: string, id: string): Promise<Dataset | undefined> {
      const [row] = await tx
        .delete(datasets)
        .where(and(own(userId), eq(datasets.id, id)))
        .returning()
      return row === undefined ? undefined : shown(row)
    },
  }
}
export type DatasetStore = ReturnType<typeof createDatasetStore>

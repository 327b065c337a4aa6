import type { Dataset } from '@shapecast/contracts/datasets'
import type { Orm } from '@shapecast/platform/database/database'
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
    /** Adds a dataset, or finds the one that is there already. */
    async save(tx: Orm, row: Omit<typeof datasets.$inferInsert, 'id' | 'venue'>): Promise<Dataset> {
      const [added] = await tx
        .insert(datasets)
        .values({ ...row, venue })
        .onConflictDoNothing()
        .returning()
      if (added !== undefined) return shown(added)
      const same = and(
        own(row.userId),
        eq(datasets.symbol, row.symbol),
        eq(datasets.timeframe, row.timeframe),
        eq(datasets.fromTs, row.fromTs),
        eq(datasets.toTs, row.toTs),
        eq(datasets.hash, row.hash),
      )
      const [there] = await tx.select().from(datasets).where(same)
      return shown(there!)
    },

    list: async (userId: string): Promise<Dataset[]> =>
      (await db.select().from(datasets).where(own(userId)).orderBy(desc(datasets.createdAtMs), desc(datasets.id))).map(
        shown,
      ),

    async countOf(userId: string): Promise<number> {
      const [row] = await db.select({ n: count() }).from(datasets).where(own(userId))
      return row?.n ?? 0
    },

    async active(userId: string): Promise<Dataset | null> {
      const [row] = await db
        .select()
        .from(datasets)
        .where(and(own(userId), datasets.active))
      return row === undefined ? null : shown(row)
    },

    /** Makes one of the user's datasets the active one; undefined where it is not theirs. */
    choose: (userId: string, id: string): Promise<Dataset | undefined> =>
      db.transaction(async (tx) => {
        // All of a user's rows are taken first, so that two choices at once come one after the other.
        const rows = await tx.select().from(datasets).where(own(userId)).orderBy(datasets.id).for('update')
        if (!rows.some((row) => row.id === id)) return undefined
        await tx
          .update(datasets)
          .set({ active: false })
          .where(and(own(userId), datasets.active))
        const [row] = await tx.update(datasets).set({ active: true }).where(eq(datasets.id, id)).returning()
        return shown(row!)
      }),

    /** None of the user's datasets is the active one any more. */
    async leave(userId: string): Promise<void> {
      await db
        .update(datasets)
        .set({ active: false })
        .where(and(own(userId), datasets.active))
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

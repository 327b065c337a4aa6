import type { ChainHead } from '@shapecast/contracts/track-record'
import { asc, eq, gt, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type SealedRow, sealedHead, sealedPredictions, sealedScores } from './tables.ts'

/** The id of the head's one row. */
export const HEAD = 1

/** The chain of all sealed predictions, of whatever venue, for reading. */
export const createChainStore = (db: NodePgDatabase) => ({
  async head(): Promise<ChainHead> {
    const [row] = await db.select().from(sealedHead).where(eq(sealedHead.id, HEAD))
    return { rows: row!.rows, hash: row!.hash }
  },

  /** The next rows of the chain after `seq`, whatever their venue. */
  after: (seq: number, limit: number): Promise<SealedRow[]> =>
    db
      .select()
      .from(sealedPredictions)
      .where(gt(sealedPredictions.seq, seq))
      .orderBy(asc(sealedPredictions.seq))
      .limit(limit),

  /** Scores that belong to no row: their prediction was deleted. */
  async orphanScores(): Promise<number[]> {
    const { rows } = await db.execute<{ seq: number }>(
      sql`select distinct s.seq from ${sealedScores} s left join ${sealedPredictions} p on p.seq = s.seq where p.seq is null order by s.seq limit 1000`,
    )
    return rows.map(({ seq }) => seq)
  },
})
export type ChainStore = ReturnType<typeof createChainStore>

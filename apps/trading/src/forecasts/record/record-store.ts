import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { ChainHead } from '@shapecast/contracts/track-record'
import { and, asc, desc, eq, gt, gte, inArray, lte, max, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { matching, matchingGiven } from '../../ground/matching.ts'
import { rowHash, type Sealable } from './row-hash.ts'
import type { SeriesFilter } from './score-store.ts'
import { type SealedRow, sealedHead, sealedPredictions, sealedScores } from './tables.ts'

/** The id of the head's one row. */
const HEAD = 1

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

/** When a prediction went on record: the clock on the wall, and the market's. */
type SealedAt = Pick<Sealable, 'madeAtMs' | 'marketTimeMs'>
type NewSealed = Omit<Sealable, 'seq' | 'previousHash' | keyof SealedAt>
export type Score = typeof sealedScores.$inferSelect

const QUANTILES = 5

/** What goes on record. */
const writesOf = (db: NodePgDatabase) => ({
  /** Which of the artifacts have sealed this candle already. */
  async sealedBy(artifactIds: string[], candleTs: number): Promise<string[]> {
    if (artifactIds.length === 0) return []
    const rows = await db
      .select({ artifactId: sealedPredictions.artifactId })
      .from(sealedPredictions)
      .where(and(inArray(sealedPredictions.artifactId, artifactIds), eq(sealedPredictions.candleTs, candleTs)))
    return rows.map((row) => row.artifactId)
  },
  /**
   * Appends a row to the chain, one writer at a time. `clock` is read once it is this one's turn, and answers null where it
   * is too late by then. `there`: it was on record already.
   */
  append: (row: NewSealed, clock: () => Promise<SealedAt | null>) =>
    db.transaction(async (tx): Promise<'sealed' | 'there' | 'late'> => {
      const [head] = await tx.select().from(sealedHead).where(eq(sealedHead.id, HEAD)).for('update')
      const { artifactId, symbol, timeframe, candleTs } = row
      const same = matching(sealedPredictions, { artifactId, symbol, timeframe, candleTs })
      const there = await tx.select({ seq: sealedPredictions.seq }).from(sealedPredictions).where(same)
      if (there.length > 0) return 'there'
      const sealedAt = await clock()
      if (sealedAt === null) return 'late'
      const sealable = { ...row, ...sealedAt, seq: head!.rows + 1, previousHash: head!.hash }
      const hash = rowHash(sealable)
      await tx.insert(sealedPredictions).values({ ...sealable, rowHash: hash })
      await tx.update(sealedHead).set({ rows: sealable.seq, hash }).where(eq(sealedHead.id, HEAD))
      return 'sealed'
    }),
  /** Writes outcomes down, those that are not there yet, and counts them. */
  async addScores(scores: readonly Score[]): Promise<void> {
    if (scores.length === 0) return
    await db.transaction(async (tx) => {
      const added = await tx
        .insert(sealedScores)
        .values([...scores])
        .onConflictDoNothing()
        .returning({ seq: sealedScores.seq })
      if (added.length > 0) await tx.update(sealedHead).set({ scores: sql`${sealedHead.scores} + ${added.length}` })
    })
  },
  /** Counts that predictions of a candle came too late. */
  async noteLate(): Promise<void> {
    await db.update(sealedHead).set({ late: sql`${sealedHead.late} + 1` })
  },
})

/** The sealed predictions, their scores, and the end of their chain. */
export const createRecordStore = (db: NodePgDatabase, venue: string) => ({
  ...writesOf(db),
  ...createChainStore(db),
  /** Every series that has sealed predictions, by one step along the index a series. */
  async series(): Promise<{ symbol: string; timeframe: Timeframe }[]> {
    const next = (after: SQL) =>
      sql`select symbol, timeframe from trading.sealed_predictions where venue = ${venue} ${after} order by symbol, timeframe limit 1`
    const { rows } = await db.execute<{ symbol: string; timeframe: Timeframe }>(sql`
    with recursive series as (
      (${next(sql``)})
      union all
      select n.symbol, n.timeframe from series s
        cross join lateral (${next(sql`and (symbol, timeframe) > (s.symbol, s.timeframe)`)}) n)
    select * from series`)
    return rows
  },
  /**
   * Sealed predictions of a series that some outcome of their fan is missing of, the oldest first: of the `spanMs` before
   * the newest of them all, or before `candleTs` where that is earlier.
   */
  async unscored(symbol: string, timeframe: string, candleTs: number, spanMs: number) {
    const ofSeries = matching(sealedPredictions, { venue, symbol, timeframe })
    const [newest] = await db
      .select({ ts: max(sealedPredictions.candleTs) })
      .from(sealedPredictions)
      .where(ofSeries)
    if (newest?.ts === null || newest === undefined) return []
    const sinceTs = Math.min(newest.ts, candleTs) - spanMs
    return db
      .select({
        seq: sealedPredictions.seq,
        candleTs: sealedPredictions.candleTs,
        fan: sealedPredictions.fan,
        scored: sql<
          number[]
        >`coalesce(array_agg(${sealedScores.horizon}) filter (where ${sealedScores.horizon} is not null), '{}')`,
      })
      .from(sealedPredictions)
      .leftJoin(sealedScores, eq(sealedScores.seq, sealedPredictions.seq))
      .where(and(ofSeries, gte(sealedPredictions.candleTs, sinceTs)))
      .groupBy(sealedPredictions.seq)
      .having(sql`count(${sealedScores.horizon}) * ${QUANTILES} < array_length(${sealedPredictions.fan}, 1)`)
      .orderBy(asc(sealedPredictions.seq))
  },
  /** Of a version on a series, in order of time; both ends included. */
  between: (version: string, symbol: string, timeframe: string, fromTs: number, toTs: number): Promise<SealedRow[]> =>
    db
      .select()
      .from(sealedPredictions)
      .where(
        and(
          matching(sealedPredictions, { venue, version, symbol, timeframe }),
          gte(sealedPredictions.candleTs, fromTs),
          lte(sealedPredictions.candleTs, toTs),
        ),
      )
      .orderBy(asc(sealedPredictions.candleTs), asc(sealedPredictions.seq)),
  /** The newest rows with the outcome at their signal horizon. */
  newest: ({ version, symbol, timeframe }: SeriesFilter, limit: number) =>
    db
      .select({ row: sealedPredictions, score: sealedScores })
      .from(sealedPredictions)
      .leftJoin(
        sealedScores,
        and(eq(sealedScores.seq, sealedPredictions.seq), eq(sealedScores.horizon, sealedPredictions.horizon)),
      )
      .where(matchingGiven(sealedPredictions, { venue, version, symbol, timeframe }))
      .orderBy(desc(sealedPredictions.seq))
      .limit(limit),
})

export type RecordStore = ReturnType<typeof createRecordStore>

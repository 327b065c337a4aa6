import type { ModelArtifact } from '@shapecast/contracts/ml'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import type { LiveOutcome } from '@shapecast/ml/drift/score-drift'
import { type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'

/** An artifact, with the one series that its sealed predictions are on. */
type SealedSeries = Pick<ModelArtifact, 'id' | 'symbol' | 'timeframe'>

type OutcomeRow = Omit<LiveOutcome, 'candle'> & { id: string; first: number }

const SCORED = sql`join trading.sealed_scores s on s.seq = p.seq and s.horizon = p.horizon`

const OF_ARTIFACT = sql`where p.artifact_id = a.id and p.symbol = a.symbol and p.timeframe = a.timeframe`

/** Artifacts as the rows of a table called a. */
const valuesOf = (artifacts: readonly SealedSeries[]): SQL => {
  const rows = artifacts.map(({ id, symbol, timeframe }) => sql`(${id}::uuid, ${symbol}::text, ${timeframe}::text)`)
  return sql`(values ${sql.join(rows, sql`, `)}) as a(id, symbol, timeframe)`
}

/** Single outcomes of sealed predictions, by artifact; each read goes along the key of artifact, series and candle. */
export const createOutcomeStore = (db: NodePgDatabase) => ({
  /** The open time of the newest candle whose prediction is scored, by artifact; those without are left out. */
  async newest(artifacts: readonly SealedSeries[]): Promise<Map<string, number>> {
    if (artifacts.length === 0) return new Map()
    const { rows } = await db.execute<{ id: string; ts: number }>(sql`
      select a.id, newest.candle_ts as ts from ${valuesOf(artifacts)}
      cross join lateral (
        select p.candle_ts from trading.sealed_predictions p ${SCORED} ${OF_ARTIFACT}
        order by p.candle_ts desc limit 1) newest`)
    return new Map(rows.map(({ id, ts }) => [id, ts]))
  },

  /** The newest `limit` of each artifact in order of time, by artifact; those without are left out. */
  async of(artifacts: readonly SealedSeries[], limit: number): Promise<Map<string, LiveOutcome[]>> {
    const { rows } = await db.execute<OutcomeRow>(sql`
      select a.id, o.*, earliest.candle_ts as first from ${valuesOf(artifacts)}
      cross join lateral (
        select p.candle_ts from trading.sealed_predictions p ${SCORED} ${OF_ARTIFACT} order by p.candle_ts limit 1) earliest
      cross join lateral (
        select p.candle_ts as ts, p.p_up as "pUp", p.climatology, nullif(s.price, p.price) > p.price as rose
        from trading.sealed_predictions p ${SCORED} ${OF_ARTIFACT}
        order by p.candle_ts desc limit ${limit}) o
      order by o.ts`)
    const steps = new Map(artifacts.map(({ id, timeframe }) => [id, TIMEFRAME_MS[timeframe]]))
    const known = [...Map.groupBy(rows, (row) => row.id)].map(([id, own]): [string, LiveOutcome[]] => [
      id,
      own.map(({ id: _, first, ...outcome }) => ({
        ...outcome,
        candle: Math.round((outcome.ts - first) / steps.get(id)!),
      })),
    ])
    return new Map(known)
  },
})
export type OutcomeStore = ReturnType<typeof createOutcomeStore>

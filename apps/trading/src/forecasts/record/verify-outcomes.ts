import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { STEPS } from '../../ground/prune-rows.ts'
import { candleRevisions, candles, series } from '../../market/tables.ts'
import { sealedPredictions, sealedScores } from './tables.ts'
import type { Finding } from './verify-record.ts'

/** An outcome on record that does not agree with its own prediction, or with the candle that is stored now. */
interface DoubtfulOutcome {
  seq: number
  horizon: number
  /** As it is on record. */
  price: number
  /** When the prediction was made: part of its hash, so that nobody can move it. */
  madeAtMs: number
  /** Open time of the candle whose close it is, and that close; null where the candle is not kept. */
  candleTs: number
  close: number | null
  /** Whether the venue is on record as having sent this candle with that close first and with another later. */
  revised: boolean
  /** Whether what it says of the 90 % and 50 % ranges is what the price and the fan say. */
  covers: boolean
}

const within = (low: number, high: number) =>
  sql`(s.price >= p.fan[(s.horizon - 1) * 5 + ${sql.raw(String(low))}] and s.price <= p.fan[(s.horizon - 1) * 5 + ${sql.raw(String(high))}])`

/** Outcomes of whatever venue beside the stored candles of the market, for reading. */
export const createOutcomeCheckStore = (db: NodePgDatabase) => ({
  /** How many outcomes were ever written, how many are there, and how often predictions came too late to be sealed. */
  async counts() {
    const { rows } = await db.execute<{ written: number; there: number; late: number }>(
      sql`select scores as written, late, (select count(*) from trading.sealed_scores) as there from trading.sealed_head`,
    )
    return rows[0]!
  },

  /** Of the sealed predictions after `seq`, `limit` of them: how many outcomes there are, and those in doubt. */
  async after(seq: number, limit: number) {
    type Row = { last: number | null; outcomes: number; compared: number; doubtful: DoubtfulOutcome[] }
    const { rows } = await db.execute<Row>(sql`
      with asked as (
        select p.seq, p.made_at_ms, p.candle_ts, p.fan, t.step_ms as step, series.id as series_id
        from ${sealedPredictions} p
        join ${STEPS} using (timeframe)
        left join ${series} series
          on series.venue = p.venue and series.symbol = p.symbol and series.timeframe = p.timeframe
        where p.seq > ${seq} order by p.seq limit ${limit}
      ), beside as (
        select s.seq, s.horizon, s.price, p.made_at_ms, p.candle_ts + s.horizon * p.step as candle_ts, c.close, p.series_id,
          s.covered_90 = ${within(1, 5)} and s.covered_50 = ${within(2, 4)} as covers
        from asked p join ${sealedScores} s on s.seq = p.seq
        left join ${candles} c on c.series_id = p.series_id and c.ts = p.candle_ts + s.horizon * p.step
      )
      select (select max(seq) from asked) as last, count(*) as outcomes, count(close) as compared,
        coalesce(json_agg(json_build_object('seq', b.seq, 'horizon', b.horizon, 'price', b.price, 'madeAtMs', b.made_at_ms,
          'candleTs', b.candle_ts, 'close', b.close, 'covers', b.covers,
          'revised', exists (select 1 from ${candleRevisions} r
            where r.series_id = b.series_id and r.ts = b.candle_ts and r.before[4] = b.price)) order by b.seq, b.horizon)
          filter (where not b.covers or b.close <> b.price), '[]') as doubtful
      from beside b`)
    return rows[0]!
  },
})
type OutcomeCheckStore = ReturnType<typeof createOutcomeCheckStore>

const BATCH = 2000

export interface OutcomesVerified {
  outcomes: number
  /** Those whose candle is stored. */
  compared: number
  /** How often predictions came too late to be sealed. */
  late: number
  findings: Finding[]
  /** Differences that accuse nobody. */
  notes: Finding[]
}

/**
 * Holds every outcome on record against the stored candle and against its own fan. `revisionsKeptMs` is how long it is kept
 * what a venue has changed of a candle: a difference that is younger and not kept was made by somebody.
 */
export async function verifyOutcomes(
  store: OutcomeCheckStore,
  nowMs: number,
  revisionsKeptMs: number,
): Promise<OutcomesVerified> {
  const { written, there, late } = await store.counts()
  const found: OutcomesVerified = { outcomes: 0, compared: 0, late, findings: [], notes: [] }
  const missing = written - there
  if (missing > 0)
    found.findings.push({
      seq: null,
      text: `${missing === 1 ? 'One was' : `${missing} were`} deleted: ${written} were written in all, and ${there} are there. What was deleted may have been written again from the candles that are stored now.`,
    })
  if (missing < 0)
    found.findings.push({ seq: null, text: `${-missing} more are there than were written: they were put in.` })
  for (let seq = 0; ; ) {
    const { last, outcomes, compared, doubtful } = await store.after(seq, BATCH)
    if (last === null) return found
    found.outcomes += outcomes
    found.compared += compared
    for (const outcome of doubtful) {
      const { accuses, text } = whatOf(outcome, nowMs - revisionsKeptMs)
      ;(accuses ? found.findings : found.notes).push({ seq: outcome.seq, text })
    }
    seq = last
  }
}

function whatOf(outcome: DoubtfulOutcome, keptSinceMs: number): { accuses: boolean; text: string } {
  const { horizon, price, close, candleTs, madeAtMs, revised, covers } = outcome
  const which = `has an outcome ${horizon} ahead`
  if (!covers)
    return { accuses: true, text: `${which} that was edited: its price ${price} does not lie in its ranges as it says` }
  const differs = `${which} of ${price}, and the candle of ${new Date(candleTs).toISOString()} closes at ${close}`
  if (revised) return { accuses: false, text: `${differs}: the venue revised it after it was scored` }
  if (madeAtMs < keptSinceMs)
    return { accuses: false, text: `${differs}: too long ago for what the venue has revised to be kept` }
  return { accuses: true, text: `${differs}, which the venue has not revised: one of the two was changed` }
}

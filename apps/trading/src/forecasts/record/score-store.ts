import { and, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { STEPS } from '../../ground/prune-rows.ts'
import { ROUND_TRIP_COST_BPS } from '../../models/train-artifact.ts'
import type { ScoreSums } from './live-scores.ts'
import type { SealedCandles } from './sealed-span.ts'

export type DaySums = ScoreSums & { day: number }

export interface SeriesFilter {
  version?: string | undefined
  symbol?: string | undefined
  timeframe?: string | undefined
}

const UP = sql`case when s.price > p.price then 1::float8 when s.price < p.price then 0 else 0.5 end`
const MOVED = sql`s.price <> p.price`
const MODEL_LOSS = sql`(p.p_up - (${UP})) ^ 2`
const CLIMATOLOGY_LOSS = sql`(p.climatology - (${UP})) ^ 2`
const CHANCE = sql`4 * (p.p_up - p.climatology) ^ 2 * p.climatology * (1 - p.climatology)`

const WORTH = sql`s.seq is not null and p.signal <> 'HOLD' and p.edge_bps > 0`
const GAIN_BPS = sql`10000 * (s.price / p.price - 1) * case when p.signal = 'BUY' then 1 else -1 end`

const RELIABILITY_BINS = 5

const SUMS = sql`count(*) as sealed,
  count(*) filter (where ${MOVED}) as moved,
  count(*) filter (where s.price = p.price) as flat,
  count(*) filter (where ${MOVED} and (p.p_up > 0.5) = (s.price > p.price)) as hits,
  count(*) filter (where ${MOVED} and (p.climatology >= 0.5) = (s.price > p.price)) as "majorityHits",
  count(*) filter (where ${MOVED} and p.reversal_up = (s.price > p.price)) as "reversalHits",
  coalesce(sum(${MODEL_LOSS}) filter (where s.seq is not null), 0) as brier,
  coalesce(sum(${CLIMATOLOGY_LOSS}) filter (where s.seq is not null), 0) as "climatologyBrier",
  coalesce(sum((${CLIMATOLOGY_LOSS} - ${MODEL_LOSS}) ^ 2) filter (where s.seq is not null), 0) as "gainSquares",
  coalesce(sum(${CHANCE}) filter (where s.seq is not null), 0) as "chanceSquares",
  count(*) filter (where ${WORTH}) as "worthCalls",
  count(*) filter (where ${WORTH} and ${GAIN_BPS} > ${ROUND_TRIP_COST_BPS}) as "paidCalls"`

/** Sums over the scores of sealed predictions, made by the database. */
export const createScoreStore = (db: NodePgDatabase, venue: string) => {
  const where = ({ version, symbol, timeframe }: SeriesFilter) =>
    and(
      sql`p.venue = ${venue}`,
      version === undefined ? undefined : sql`p.version = ${version}`,
      symbol === undefined ? undefined : sql`p.symbol = ${symbol}`,
      timeframe === undefined ? undefined : sql`p.timeframe = ${timeframe}`,
    )

  /** Each sealed prediction beside its outcome at its signal horizon. */
  const scored = sql`trading.sealed_predictions p left join trading.sealed_scores s on s.seq = p.seq and s.horizon = p.horizon`

  return {
    /** By fifths of the outcomes in order of P(up), and horizon: forecasts crowd around ½, where bins of one width say nothing. */
    async reliability(filter: SeriesFilter) {
      type Row = { bin: number; horizon: number; outcomes: number; predicted: number; observed: number }
      const { rows } = await db.execute<Row>(sql`
        select bin, horizon, count(*) as outcomes, sum(p_up) as predicted, sum(up) as observed
        from (
          select ntile(${RELIABILITY_BINS}) over (order by p.p_up, p.seq) as bin, p.horizon, p.p_up, ${UP} as up
          from ${scored} where ${where(filter)} and s.seq is not null) as binned
        group by 1, 2 order by 1, 2`)
      return rows
    },

    /** How often fans held, by series and horizon. */
    async coverage(filter: SeriesFilter) {
      type Row = Pick<ScoreSums, 'symbol' | 'timeframe' | 'horizon'> &
        Record<'outcomes' | 'covered90' | 'covered50', number>
      const { rows } = await db.execute<Row>(sql`
        select p.symbol, p.timeframe, s.horizon, count(*) as outcomes,
          count(*) filter (where s.covered_90) as covered90, count(*) filter (where s.covered_50) as covered50
        from trading.sealed_predictions p join trading.sealed_scores s on s.seq = p.seq
        where ${where(filter)} group by 1, 2, 3 order by 1, 2, 3`)
      return rows
    },

    async sums(filter: SeriesFilter): Promise<ScoreSums[]> {
      const { rows } = await db.execute<ScoreSums>(sql`
        select p.version, p.symbol, p.timeframe, p.horizon, ${SUMS}
        from ${scored} where ${where(filter)}
        group by p.version, p.symbol, p.timeframe, p.horizon
        order by p.version, p.symbol, p.timeframe, p.horizon`)
      return rows
    },

    /** The candles that were sealed, by version and series; one that two artifacts of a version sealed counts once. */
    async sealedCandles(filter: SeriesFilter): Promise<SealedCandles[]> {
      const { rows } = await db.execute<SealedCandles>(sql`
        select version, symbol, timeframe, count(*) as sealed, max(candle_ts) as newest,
          coalesce(json_agg(json_build_array(before, candle_ts)) filter (where candle_ts - before > step_ms), '[]') as gaps
        from (
          select p.version, p.symbol, p.timeframe, p.candle_ts,
            lag(p.candle_ts) over (partition by p.version, p.symbol, p.timeframe order by p.candle_ts) as before
          from trading.sealed_predictions p where ${where(filter)}
          group by p.version, p.symbol, p.timeframe, p.candle_ts) as sealed
        join ${STEPS} using (timeframe)
        group by version, symbol, timeframe`)
      return rows
    },

    /** By day of the candle (days since 1970, UTC), series and horizon; days without an outcome are left out. */
    async days(filter: SeriesFilter): Promise<DaySums[]> {
      const { rows } = await db.execute<DaySums>(sql`
        select p.candle_ts / 86400000 as day, p.version, p.symbol, p.timeframe, p.horizon, ${SUMS}
        from ${scored} where ${where(filter)} and s.seq is not null
        group by 1, p.version, p.symbol, p.timeframe, p.horizon order by 1`)
      return rows
    },

    /** By calendar month of the candle, UTC, and horizon. */
    async months(filter: SeriesFilter) {
      type Row = { month: string; horizon: number; outcomes: number; moved: number; hits: number; brier: number }
      const { rows } = await db.execute<Row>(sql`
        select to_char(to_timestamp(p.candle_ts / 1000.0) at time zone 'UTC', 'YYYY-MM') as month, p.horizon,
          count(*) as outcomes, count(*) filter (where ${MOVED}) as moved,
          count(*) filter (where ${MOVED} and (p.p_up > 0.5) = (s.price > p.price)) as hits,
          sum(${MODEL_LOSS}) as brier
        from ${scored} where ${where(filter)} and s.seq is not null
        group by 1, 2 order by 1, 2`)
      return rows
    },
  }
}

export type ScoreStore = ReturnType<typeof createScoreStore>

import type { ReplyOf } from '@shapecast/contracts/endpoint'
import type { Model } from '@shapecast/contracts/ml'
import type { FanCoverage, PredictionRow } from '@shapecast/contracts/predictions'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { ChainHead, leaderboard, SealedPrediction, TrackRecord } from '@shapecast/contracts/track-record'
import { effectiveOutcomes, wilsonInterval, Z95 } from '@shapecast/ml/evaluate/intervals'
import { bound } from '../../ground/bound.ts'
import { noModel } from '../../models/versions.ts'
import { courseOf, liveScores, type ScoreSums, total, worthCalls } from './live-scores.ts'
import type { RecordStore } from './record-store.ts'
import type { ScoreStore, SeriesFilter } from './score-store.ts'
import { SEALED_STAGES } from './seal-window.ts'
import { createSpanCounter, lastUnsealable, type SpanDeps, spanOfAll } from './sealed-span.ts'
import { shownPrediction } from './shown-prediction.ts'
import type { SealedRow } from './tables.ts'

export interface RecordServiceDeps extends SpanDeps {
  store: RecordStore
  scores: ScoreStore
  /** Every version with the artifacts that predict. */
  models(): Promise<Model[]>
  /** The market's clock, ms; null where it has none. */
  marketTime(): Promise<number | null>
}

type Series = { symbol?: string | undefined; timeframe?: Timeframe | undefined }
export type LeaderboardEntry = ReplyOf<typeof leaderboard>['entries'][number]

/** Costs are no part of the seal. */
const shapeOf = (row: SealedRow) =>
  shownPrediction(
    row,
    { ts: row.candleTs, timeframe: row.timeframe as Timeframe },
    { version: row.version, hash: row.artifactHash, costBps: null, horizon: row.horizon },
  )

/** Those with the surest skill first: by the low end of the interval, then by name; those without outcomes last. */
export const bySurestSkill = (a: LeaderboardEntry, b: LeaderboardEntry): number =>
  (b.scores.brierSkillInterval?.[0] ?? Number.NEGATIVE_INFINITY) -
    (a.scores.brierSkillInterval?.[0] ?? Number.NEGATIVE_INFINITY) || a.version.localeCompare(b.version)

type Recording = RecordServiceDeps & { readonly count: ReturnType<typeof createSpanCounter> }

/** How many of its candles each version sealed, series by series. */
async function spansOf({ scores, count, marketTime }: Recording, filter: SeriesFilter, known: readonly Model[]) {
  const marketMs = await marketTime()
  const records = await scores.sealedCandles(filter)
  return Promise.all(
    records.map(async (record) => {
      const { version, symbol, timeframe } = record
      const model = known.find((one) => one.version === version)
      const isSealing =
        model !== undefined &&
        SEALED_STAGES.some((sealed) => sealed === model.stage) &&
        model.artifacts.some((one) => one.symbol === symbol && one.timeframe === timeframe)
      const until = isSealing && marketMs !== null ? lastUnsealable(timeframe, marketMs) : null
      return { version, symbol, timeframe, span: await count(record, until) }
    }),
  )
}

const coverageOf = async ({ scores }: Recording, filter: SeriesFilter) =>
  (await scores.coverage(filter)).map(({ symbol, timeframe, horizon, outcomes, covered90, covered50 }) => {
    const effective = effectiveOutcomes(outcomes, horizon)
    const coverage: FanCoverage = {
      horizon,
      outcomes,
      effectiveOutcomes: effective,
      coverage90: covered90 / outcomes,
      interval: wilsonInterval(covered90 / outcomes, effective),
      coverage50: covered50 / outcomes,
    }
    return { symbol, timeframe, coverage }
  })

async function monthsOf({ scores }: Recording, filter: SeriesFilter): Promise<TrackRecord['months']> {
  const rows = await scores.months(filter)
  return [...Map.groupBy(rows, (row) => row.month)].map(([month, parts]) => {
    const [outcomes, moved] = [total(parts, (row) => row.outcomes), total(parts, (row) => row.moved)]
    const accuracy = moved === 0 ? null : total(parts, (row) => row.hits) / moved
    const effective = total(parts, (row) => effectiveOutcomes(row.moved, row.horizon))
    return {
      month,
      outcomes,
      accuracy,
      interval: accuracy === null ? null : wilsonInterval(accuracy, effective),
      brier: total(parts, (row) => row.brier) / outcomes,
    }
  })
}

async function reliabilityOf({ scores }: Recording, filter: SeriesFilter): Promise<TrackRecord['reliability']> {
  const rows = await scores.reliability(filter)
  return [...Map.groupBy(rows, (row) => row.bin).values()].map((parts) => {
    const outcomes = total(parts, (row) => row.outcomes)
    const predicted = total(parts, (row) => row.predicted) / outcomes
    const effective = total(parts, (row) => effectiveOutcomes(row.outcomes, row.horizon))
    const reach = Z95 * Math.sqrt((predicted * (1 - predicted)) / effective)
    return {
      predicted,
      observed: total(parts, (row) => row.observed) / outcomes,
      outcomes,
      band: [Math.max(0, predicted - reach), Math.min(1, predicted + reach)],
    }
  })
}

const sealedOf = ({ row, score }: Awaited<ReturnType<RecordStore['newest']>>[number]): SealedPrediction => {
  const { seq, symbol, timeframe, madeAtMs: madeAt, pUp, horizon, previousHash, rowHash, price: was } = row
  const outcome = score && {
    price: score.price,
    correct: score.price === was ? null : pUp > 0.5 === score.price > was,
    scoredAt: score.scoredAtMs,
  }
  const named = { seq, symbol, timeframe: timeframe as Timeframe, madeAt, pUp, horizon, previousHash, rowHash }
  return { ...shapeOf(row), ...named, outcome }
}

/** A version's record. Throws `not_found` if there is no such version. */
async function read(ctx: Recording, version: string, { limit, ...series }: Series & { limit: number }) {
  const { store, scores } = ctx
  const known = await ctx.models()
  const stage = known.find((model) => model.version === version)?.stage
  if (stage === undefined) throw noModel(version)
  const filter = { version, ...series }
  const sums = await scores.sums(filter)
  const coverage = await coverageOf(ctx, filter)
  const spans = await spansOf(ctx, filter, known)
  const bySeries = Map.groupBy(sums, (row) => `${row.symbol} ${row.timeframe}`)
  const newest = await store.newest(filter, limit)
  const record: TrackRecord = {
    version,
    stage,
    total: liveScores(sums),
    span: spanOfAll(spans.map(({ span }) => span)),
    series: [...bySeries.values()].map((rows) => {
      const { symbol, timeframe } = rows[0]!
      const isIts = (one: { symbol: string; timeframe: string }) => one.symbol === symbol && one.timeframe === timeframe
      return {
        symbol,
        timeframe: timeframe as Timeframe,
        scores: liveScores(rows),
        span: spans.find(isIts)?.span ?? null,
        coverage: coverage.filter(isIts).map((row) => row.coverage),
        worthCalls: worthCalls(rows),
      }
    }),
    months: await monthsOf(ctx, filter),
    course: courseOf(await scores.days(filter)),
    reliability: await reliabilityOf(ctx, filter),
    newest: newest.map(sealedOf),
    head: await store.head(),
  }
  return record
}

/** Versions that have sealed anything, by skill that is surest to be there. */
async function leaders(ctx: Recording, series: Series): Promise<{ entries: LeaderboardEntry[]; head: ChainHead }> {
  const byVersion = Map.groupBy(await ctx.scores.sums(series), (row: ScoreSums) => row.version)
  const known = await ctx.models()
  const spans = Map.groupBy(await spansOf(ctx, series, known), ({ version }) => version)
  const entries = known.flatMap(({ version, stage }): LeaderboardEntry[] => {
    const rows = byVersion.get(version)
    const span = spanOfAll((spans.get(version) ?? []).map((one) => one.span))
    return rows === undefined ? [] : [{ version, stage, scores: liveScores(rows), span }]
  })
  return { entries: entries.sort(bySurestSkill), head: await ctx.store.head() }
}

/** Sealed predictions for a chart. */
const rows = async ({ store }: Recording, ...of: Parameters<RecordStore['between']>): Promise<PredictionRow[]> =>
  (await store.between(...of)).map((row) => ({
    ...shapeOf(row),
    source: 'live',
    madeAt: row.madeAtMs,
    trainedOn: false,
  }))

/** How often the sealed fans of a version on a series held, by horizon. */
const coverage = async (ctx: Recording, version: string, symbol: string, timeframe: Timeframe) =>
  (await coverageOf(ctx, { version, symbol, timeframe })).map((row) => row.coverage)

/** What the record says of versions. Only sealed rows are read here. */
export const createRecordService = (deps: RecordServiceDeps) =>
  bound({ ...deps, count: createSpanCounter(deps) }, { read, leaderboard: leaders, rows, coverage })

export type RecordService = ReturnType<typeof createRecordService>

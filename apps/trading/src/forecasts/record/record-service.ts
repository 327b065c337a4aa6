import type { ReplyOf } from '@shapecast/contracts/endpoint'
import type { Model } from '@shapecast/contracts/ml'
import type { FanCoverage, PredictionRow } from '@shapecast/contracts/predictions'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { ChainHead, leaderboard, SealedPrediction, TrackRecord } from '@shapecast/contracts/track-record'
import { effectiveOutcomes, wilsonInterval, Z95 } from '@shapecast/ml/evaluate/intervals'
import { noModel } from '../../models/versions.ts'
import { courseOf, liveScores, type ScoreSums, worthCalls } from './live-scores.ts'
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

/** How much was sealed, and how often fans held. */
const spansAndCoverageOf = (deps: RecordServiceDeps) => {
  const { scores } = deps

  const count = createSpanCounter(deps)

  /** How many of its candles each version sealed, series by series. */
  const spansOf = async (filter: SeriesFilter, known: readonly Model[]) => {
    const marketMs = await deps.marketTime()
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

  const coverageOf = async (filter: SeriesFilter) =>
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
  return { count, spansOf, coverageOf }
}

/** The record of one version. */
const recordOf = (deps: RecordServiceDeps, { spansOf, coverageOf }: ReturnType<typeof spansAndCoverageOf>) => {
  const { store, scores, models } = deps

  const monthsOf = async (filter: SeriesFilter): Promise<TrackRecord['months']> => {
    const rows = await scores.months(filter)
    return [...Map.groupBy(rows, (row) => row.month)].map(([month, parts]) => {
      const sum = (of: (row: (typeof parts)[number]) => number) => parts.reduce((total, row) => total + of(row), 0)
      const [outcomes, moved] = [sum((row) => row.outcomes), sum((row) => row.moved)]
      const accuracy = moved === 0 ? null : sum((row) => row.hits) / moved
      const effective = sum((row) => effectiveOutcomes(row.moved, row.horizon))
      return {
        month,
        outcomes,
        accuracy,
        interval: accuracy === null ? null : wilsonInterval(accuracy, effective),
        brier: sum((row) => row.brier) / outcomes,
      }
    })
  }

  const reliabilityOf = async (filter: SeriesFilter): Promise<TrackRecord['reliability']> => {
    const rows = await scores.reliability(filter)
    return [...Map.groupBy(rows, (row) => row.bin).values()].map((parts) => {
      const sum = (of: (row: (typeof parts)[number]) => number) => parts.reduce((total, row) => total + of(row), 0)
      const outcomes = sum((row) => row.outcomes)
      const predicted = sum((row) => row.predicted) / outcomes
      const reach =
        Z95 * Math.sqrt((predicted * (1 - predicted)) / sum((row) => effectiveOutcomes(row.outcomes, row.horizon)))
      return {
        predicted,
        observed: sum((row) => row.observed) / outcomes,
        outcomes,
        band: [Math.max(0, predicted - reach), Math.min(1, predicted + reach)],
      }
    })
  }
  return {
    /** A version's record. Throws `not_found` if there is no such version. */
    async read(version: string, { limit, ...series }: Series & { limit: number }): Promise<TrackRecord> {
      const known = await models()
      const stage = known.find((model) => model.version === version)?.stage
      if (stage === undefined) throw noModel(version)
      const filter = { version, ...series }
      const sums = await scores.sums(filter)
      const coverage = await coverageOf(filter)
      const spans = await spansOf(filter, known)
      const bySeries = Map.groupBy(sums, (row) => `${row.symbol} ${row.timeframe}`)
      const newest = await store.newest(version, series, limit)
      return {
        version,
        stage,
        total: liveScores(sums),
        span: spanOfAll(spans.map(({ span }) => span)),
        series: [...bySeries.values()].map((rows) => {
          const { symbol, timeframe } = rows[0]!
          return {
            symbol,
            timeframe: timeframe as Timeframe,
            scores: liveScores(rows),
            span: spans.find((one) => one.symbol === symbol && one.timeframe === timeframe)?.span ?? null,
            coverage: coverage
              .filter((row) => row.symbol === symbol && row.timeframe === timeframe)
              .map((row) => row.coverage),
            worthCalls: worthCalls(rows),
          }
        }),
        months: await monthsOf(filter),
        course: courseOf(await scores.days(filter)),
        reliability: await reliabilityOf(filter),
        newest: newest.map(
          ({ row, score }): SealedPrediction => ({
            ...shapeOf(row),
            seq: row.seq,
            symbol: row.symbol,
            timeframe: row.timeframe as Timeframe,
            madeAt: row.madeAtMs,
            pUp: row.pUp,
            horizon: row.horizon,
            previousHash: row.previousHash,
            rowHash: row.rowHash,
            outcome:
              score === null
                ? null
                : {
                    price: score.price,
                    correct: score.price === row.price ? null : row.pUp > 0.5 === score.price > row.price,
                    scoredAt: score.scoredAtMs,
                  },
          }),
        ),
        head: await store.head(),
      }
    },
  }
}

/** What the record says of versions. Only sealed rows are read here. */
export const createRecordService = (deps: RecordServiceDeps) => {
  const shared = spansAndCoverageOf(deps)
  const { spansOf, coverageOf } = shared
  const { store, scores, models } = deps
  return {
    ...recordOf(deps, shared),
    /** Versions that have sealed anything, by skill that is surest to be there. */
    async leaderboard(series: Series): Promise<{ entries: LeaderboardEntry[]; head: ChainHead }> {
      const byVersion = Map.groupBy(await scores.sums(series), (row: ScoreSums) => row.version)
      const known = await models()
      const spans = Map.groupBy(await spansOf(series, known), ({ version }) => version)
      const entries = known.flatMap(({ version, stage }): LeaderboardEntry[] => {
        const rows = byVersion.get(version)
        const span = spanOfAll((spans.get(version) ?? []).map((one) => one.span))
        return rows === undefined ? [] : [{ version, stage, scores: liveScores(rows), span }]
      })
      return { entries: entries.sort(bySurestSkill), head: await store.head() }
    },
    /** Sealed predictions for a chart. */
    async rows(
      version: string,
      symbol: string,
      timeframe: Timeframe,
      fromTs: number,
      toTs: number,
    ): Promise<PredictionRow[]> {
      const rows = await store.between(version, symbol, timeframe, fromTs, toTs)
      return rows.map((row) => ({ ...shapeOf(row), source: 'live', madeAt: row.madeAtMs, trainedOn: false }))
    },
    /** How often the sealed fans of a version on a series held, by horizon. */
    async coverage(version: string, symbol: string, timeframe: Timeframe): Promise<FanCoverage[]> {
      return (await coverageOf({ version, symbol, timeframe })).map((row) => row.coverage)
    },
  }
}

export type RecordService = ReturnType<typeof createRecordService>

import { CACHED_REASONING, type PredictionRow } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { type Candles, indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import { signalOfDecision } from '@shapecast/engine/decisions'
import { signalVerdict } from '@shapecast/engine/verdicts/signal-verdict'
import type { LimitFunction } from 'p-limit'
import type { CandleSource } from '../market/series-market.ts'
import type { OpenModel } from '../models/predictors.ts'
import { windowChecks } from './candle-check.ts'
import { type SeriesName, saidAt } from './forecast.ts'
import type { PredictionStore, StoredRow } from './prediction-store.ts'
import type { RecordService } from './record/record-service.ts'
import { shownPrediction } from './record/shown-prediction.ts'

/** Forecasts made and written at a time; the event loop turns in between. */
const BATCH = 5000

export interface HistoryDeps {
  candles: CandleSource
  store: PredictionStore
  sealed: Pick<RecordService, 'rows' | 'coverage'>
  /** One batch after the other, so that however many ask, predicting takes no more than its share of the machine. */
  inTurn: LimitFunction
  /** Told of rows that could not be kept. */
  keepFailed(error: unknown): void
  now(): number
}

/** Which forecasts: those of the newest `limit` candles that opened in [fromMs, toMs]. */
export interface HistoryRange {
  fromMs: number
  toMs: number | undefined
  limit: number
}

/**
 * A model's forecasts candle by candle, oldest first. What was sealed live is shown as it was; the rest is worked out once,
 * kept, and marked as backfilled. Where stored candles changed, the forecasts that rest on them are made again.
 */
export async function predictionHistory(
  deps: HistoryDeps,
  series: SeriesName,
  model: OpenModel,
  range: HistoryRange,
): Promise<PredictionRow[]> {
  const { candles: source, store, sealed } = deps
  const { symbol, timeframe } = series
  const history = model.predictor.historyCandles
  const candles = await source.load(symbol, timeframe, { toMs: range.toMs, limit: range.limit + history })
  const first = Math.max(indexAtOrAfter(candles, range.fromMs), candles.length - range.limit)
  if (first >= candles.length) return []
  const checks = windowChecks(candles, history)
  const [fromTs, toTs] = [candles.ts[first]!, candles.ts[candles.length - 1]!]

  const [keptRows, liveRows] = await Promise.all([
    store.read(model.artifactId, fromTs, toTs),
    sealed.rows(model.version, symbol, timeframe, fromTs, toTs),
  ])
  const kept = new Map(keptRows.map((row) => [row.ts, row]))
  const live = new Map(liveRows.map((row) => [row.timestamp, row]))
  const holds = (i: number) => kept.get(candles.ts[i]!)?.candleCheck === checks[i]
  let [from, to] = [first, candles.length]
  while (from < to && holds(from)) from++
  while (from < to && holds(to - 1)) to--
  for (let at = from; at < to; at += BATCH) {
    const until = Math.min(to, at + BATCH)
    const rows = await deps.inTurn(() => makeRows(model, candles, checks, at, until, deps.now()))
    store.keep(model.artifactId, rows, deps.keepFailed)
    for (const row of rows) kept.set(row.ts, row)
  }

  const { seen, horizons, roundTripCostBps, signalHorizon } = model.predictor.traits
  const step = TIMEFRAME_MS[timeframe]
  const rows: PredictionRow[] = []
  for (let i = first; i < candles.length; i++) {
    const ts = candles.ts[i]!
    const trainedOn = ts >= seen.from && ts + horizons * step <= seen.to
    const row = kept.get(ts)
    const sealedRow = live.get(ts)
    if (sealedRow !== undefined)
      // Costs are no part of the seal: they are known where the same artifact sealed it.
      rows.push(
        sealedRow.hash === model.hash
          ? { ...sealedRow, verdict: signalVerdict(sealedRow, roundTripCostBps, signalHorizon) }
          : sealedRow,
      )
    else if (row !== undefined && !Number.isNaN(row.confidence)) rows.push(backfilled(row, timeframe, model, trainedOn))
  }
  return rows
}

const backfilled = (row: StoredRow, timeframe: Timeframe, model: OpenModel, trainedOn: boolean): PredictionRow => {
  const { roundTripCostBps: costBps, signalHorizon: horizon } = model.predictor.traits
  const { version, hash } = model
  const said = { ...row, signal: signalOfDecision(row.signal), reasoning: CACHED_REASONING }
  const shown = shownPrediction(said, { ts: row.ts, timeframe }, { version, hash, costBps, horizon })
  return { ...shown, source: 'backfilled', madeAt: row.madeAtMs, trainedOn }
}

async function makeRows(
  { predictor }: OpenModel,
  candles: Candles,
  checks: Float64Array,
  from: number,
  to: number,
  madeAtMs: number,
): Promise<StoredRow[]> {
  const offset = Math.max(0, from - predictor.historyCandles)
  const made = await predictor.predict(sliceCandles(candles, offset, to), { from: from - offset, to: to - offset })
  return Array.from({ length: to - from }, (_, k) => ({
    ts: candles.ts[from + k]!,
    candleCheck: checks[from + k]!,
    ...saidAt(made, k, candles.close[from + k]!),
    madeAtMs,
  }))
}

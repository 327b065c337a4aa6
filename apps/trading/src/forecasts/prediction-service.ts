import type { QueryOf } from '@shapecast/contracts/endpoint'
import { AppError, orElse } from '@shapecast/contracts/errors'
import type {
  FanCoverage,
  Prediction,
  PredictionCloud,
  PredictionRow,
  predictions,
  RangeRow,
} from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { DEFAULT_LOOKBACK } from '@shapecast/contracts/training-candles'
import type { Candles } from '@shapecast/engine/candles'
import type { ModelTraits } from '@shapecast/ml/forecast/model-traits'
import type { Logger } from '@shapecast/platform/logging'
import pLimit, { type LimitFunction } from 'p-limit'
import { bound } from '../ground/bound.ts'
import { createCache } from '../ground/cache.ts'
import type { CandleSource } from '../market/series-market.ts'
import type { LentModels } from '../models/model-service.ts'
import type { OpenModel, PinnedArtifact } from '../models/predictors.ts'
import { type Forecast, forecastNewest, type SeriesName } from './forecast.ts'
import { createKeptForecasts } from './kept-forecasts.ts'
import { type PolicyShareQuery, policyShare } from './policy-share.ts'
import { type HistoryDeps, predictionHistory } from './prediction-history.ts'
import { unknownFirst } from './unknown-first.ts'

/**
 * The 90 % range of the next close at each of the newest `limit` candles, oldest first, with the close that came; candles
 * without a forecast are left out. The last row is of the candle that has not closed yet.
 */
async function predictionRanges(
  source: CandleSource,
  { symbol, timeframe }: SeriesName,
  { predictor }: OpenModel,
  limit: number,
): Promise<RangeRow[]> {
  const candles = await source.load(symbol, timeframe, { limit: limit + predictor.historyCandles })
  const from = Math.max(0, candles.length - limit)
  if (from >= candles.length) return []
  const made = await predictor.predict(candles, { from, to: candles.length })
  const { horizons, quantiles, quantilePrices } = made
  const price = (i: number, quantile: number) =>
    quantilePrices[(i - from) * horizons * quantiles.length + quantile] ?? Number.NaN
  const rows: RangeRow[] = []
  for (let i = from; i < candles.length; i++) {
    const [low, median, high] = [price(i, 0), price(i, quantiles.indexOf(0.5)), price(i, quantiles.length - 1)]
    if (Number.isNaN(low)) continue
    const time = candles.ts[i]! + TIMEFRAME_MS[timeframe]
    rows.push({ time, low, median, high, close: candles.ts[i + 1] === time ? candles.close[i + 1]! : null })
  }
  return rows
}

export interface PredictionServiceDeps extends Omit<HistoryDeps, 'inTurn' | 'keepFailed'> {
  models: Omit<LentModels, 'find'>
  log: Logger
}

type Asked = SeriesName & { version?: string | undefined; pinned?: PinnedArtifact | undefined }

export type HistoryQuery = Asked & QueryOf<typeof predictions>

const holdoutCoverage = ({ evaluation }: ModelTraits): FanCoverage[] =>
  evaluation.fan.map(({ coverage90Interval, skillOverEwma: _e, skillOverHistorical: _h, ...row }) => ({
    ...row,
    interval: coverage90Interval,
  }))

/** The same candles are loaded once, however many models look at them. */
function askedOnce(source: CandleSource): CandleSource {
  const loaded = createCache<Candles>({ max: 100 })
  return { load: (...asked) => loaded.get(JSON.stringify(asked), () => source.load(...asked)) }
}

interface Asking extends PredictionServiceDeps {
  readonly kept: ReturnType<typeof createKeptForecasts<Forecast>>
  readonly inTurn: LimitFunction
  readonly underWay: ReturnType<typeof createCache<PredictionRow[]>>
}

/** Opens the version named, or the current one of the series. What may be wrong is looked for where something is. */
const withModel = <R>(
  { candles, models }: Asking,
  { symbol, timeframe, version, pinned }: Asked,
  use: (model: OpenModel) => Promise<R>,
): Promise<R> =>
  unknownFirst(
    { load: candles.load, requireVersion: models.requireVersion },
    { symbol, timeframe, versions: version === undefined ? [] : [version] },
    async () => models.use(version ?? (await models.currentOn(symbol, timeframe)), symbol, timeframe, use, pinned),
  )

/**
 * The forecast of one version, or of its `pinned` artifact, at the last closed candle up to `toMs`, with all that a record
 * of it needs.
 */
const forecast = (
  ctx: Asking,
  asked: Asked & { toMs?: number },
  source = ctx.candles,
  atLeast = 1,
): Promise<Forecast> =>
  withModel(ctx, asked, (model) => forecastNewest(source, asked, model, atLeast, ctx.kept, asked.toMs))

const predict = async (ctx: Asking, asked: Asked & { limit: number }, source = ctx.candles): Promise<Prediction> =>
  (await forecast(ctx, asked, source, asked.limit)).prediction

/** One version's forecast, or in words why there is none. Throws `unknown_symbol`, which no version could predict. */
async function attempt(ctx: Asking, asked: Asked & { version: string; limit: number }, source: CandleSource) {
  const { version } = asked
  try {
    return { version, prediction: await predict(ctx, asked, source), error: null }
  } catch (error) {
    if (error instanceof AppError && error.code === 'unknown_symbol') throw error
    if (error instanceof AppError) return { version, prediction: null, error: error.message }
    ctx.log.error({ err: error, version }, 'a prediction failed')
    return { version, prediction: null, error: 'The prediction failed by an error of the program.' }
  }
}

/**
 * One forecast a version, in the order asked; a version that cannot predict keeps none of the others from it. Throws
 * `unknown_symbol`.
 */
async function predictMulti(ctx: Asking, asked: SeriesName & { versions: string[]; limit: number }) {
  const { versions, ...rest } = asked
  const source = askedOnce(ctx.candles)
  const results = []
  for (const version of versions) results.push(await attempt(ctx, { ...rest, version }, source))
  return { results }
}

/**
 * The fan of the next candles. Throws as `predict` does, and `unprocessable` where another lookback is asked for than the
 * model has; the default stands for whatever that is.
 */
const cloud = (ctx: Asking, asked: Asked & { limit: number; horizon_steps: number; lookback: number }) =>
  withModel(ctx, asked, async (model): Promise<PredictionCloud> => {
    const { candles, sealed, kept } = ctx
    const { symbol, timeframe, horizon_steps: steps } = asked
    const { version, hash } = model
    const { traits } = model.predictor
    const { lookback } = traits
    const refuse = (text: string, field: string) => new AppError('unprocessable', text, { field })
    if (asked.lookback !== DEFAULT_LOOKBACK && asked.lookback !== lookback)
      throw refuse(
        `${version} was trained to look back ${lookback} candles. Leave lookback out, or train a version with ${asked.lookback}.`,
        'lookback',
      )
    if (steps > traits.horizons)
      throw refuse(`${version} sees ${traits.horizons} candles ahead at most.`, 'horizon_steps')
    const { prediction, fan } = await forecastNewest(candles, asked, model, asked.limit, kept)
    const { timestamp, current_price } = prediction
    const within = ({ horizon }: { horizon: number }) => horizon <= steps
    const of = { symbol, timeframe, version, hash, method: 'quantile' as const, lookback, timestamp, current_price }
    return {
      ...of,
      points: Array.from({ length: steps }, (_, k) => {
        const [q05, q25, q50, q75, q95] = fan.slice(k * 5, k * 5 + 5) as [number, number, number, number, number]
        return { horizon: k + 1, time: timestamp + (k + 1) * TIMEFRAME_MS[timeframe], q05, q25, q50, q75, q95 }
      }),
      coverage: {
        holdout: holdoutCoverage(traits).filter(within),
        live: (await sealed.coverage(version, symbol, timeframe)).filter(within),
      },
    }
  })

/** Where the next close was said to land, candle by candle; one batch after the other, as all that is predicted. */
const ranges = (ctx: Asking, asked: Asked & { limit: number }): Promise<RangeRow[]> =>
  withModel(ctx, asked, (model) => ctx.inTurn(() => predictionRanges(ctx.candles, asked, model, asked.limit)))

/** What a policy would hold now. Throws as `predict` does where it asks a model. */
const share = (ctx: Asking, asked: Asked & PolicyShareQuery) =>
  policyShare(ctx.candles, asked, () => forecast(ctx, asked))

/** Candle by candle, oldest first; who asks for the same at the same time gets the same rows. */
function history(ctx: Asking, query: HistoryQuery): Promise<PredictionRow[]> {
  const { underWay, log } = ctx
  const until = [query.to, query.before === undefined ? undefined : query.before - 1].filter(
    (time) => time !== undefined,
  )
  const range = {
    fromMs: Math.max(query.from ?? 0, query.since === undefined ? 0 : query.since + 1),
    toMs: until.length === 0 ? undefined : Math.min(...until),
    limit: query.limit,
  }
  const key = JSON.stringify([query.symbol, query.timeframe, query.version, range])
  const keepFailed = (error: unknown): void => log.error({ err: error }, 'predictions could not be kept')
  const make = () => withModel(ctx, query, (model) => predictionHistory({ ...ctx, keepFailed }, query, model, range))
  return (
    underWay
      .get(key, make)
      // A version that was asked for by name gets the error.
      .catch(query.version === undefined ? orElse([], 'model_not_trained') : undefined)
      .finally(() => underWay.forget(key))
  )
}

/** What models say of the candles to come, now and in the past. */
export const createPredictionService = (deps: PredictionServiceDeps) => {
  const underWay = createCache<PredictionRow[]>({ max: 1000 })
  const asking = { ...deps, kept: createKeptForecasts<Forecast>(), inTurn: pLimit(1), underWay }
  return bound(asking, {
    predict: (ctx: Asking, asked: Asked & { limit: number }) => predict(ctx, asked),
    predictMulti,
    forecast: (ctx: Asking, asked: Asked & { version: string; toMs?: number }) => forecast(ctx, asked),
    cloud,
    ranges,
    policyShare: share,
    history,
  })
}

export type PredictionService = ReturnType<typeof createPredictionService>

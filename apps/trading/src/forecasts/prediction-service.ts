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
import pLimit from 'p-limit'
import { createCache } from '../ground/cache.ts'
import type { CandleSource } from '../market/series-market.ts'
import type { LentModels } from '../models/lent-models.ts'
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

/** Asks versions of a series. */
const askingOf = (deps: PredictionServiceDeps) => {
  const { candles, models } = deps

  const kept = createKeptForecasts<Forecast>()
  const inTurn = pLimit(1)

  /** Opens the version named, or the current one of the series. What may be wrong is looked for where something is. */
  const withModel = <R>(
    { symbol, timeframe, version, pinned }: Asked,
    use: (model: OpenModel) => Promise<R>,
  ): Promise<R> =>
    unknownFirst(
      { load: candles.load, requireVersion: models.requireVersion },
      { symbol, timeframe, versions: version === undefined ? [] : [version] },
      async () => models.use(version ?? (await models.currentOn(symbol, timeframe)), symbol, timeframe, use, pinned),
    )
  return { kept, inTurn, withModel }
}

/** The fan of the next candles, and ranges before. */
const fansOf = (deps: PredictionServiceDeps, { kept, inTurn, withModel }: ReturnType<typeof askingOf>) => {
  const { candles, sealed } = deps
  return {
    /**
     * Throws as `predict` does, and `unprocessable` where another lookback is asked for than the model has; the default
     * stands for whatever that is.
     */
    cloud: (asked: Asked & { limit: number; horizon_steps: number; lookback: number }) =>
      withModel(asked, async (model): Promise<PredictionCloud> => {
        const { traits } = model.predictor
        if (asked.lookback !== DEFAULT_LOOKBACK && asked.lookback !== traits.lookback)
          throw new AppError(
            'unprocessable',
            `${model.version} was trained to look back ${traits.lookback} candles. Leave lookback out, or train a version with ${asked.lookback}.`,
            { field: 'lookback' },
          )
        if (asked.horizon_steps > traits.horizons)
          throw new AppError('unprocessable', `${model.version} sees ${traits.horizons} candles ahead at most.`, {
            field: 'horizon_steps',
          })
        const { prediction, fan } = await forecastNewest(candles, asked, model, asked.limit, kept)
        const step = TIMEFRAME_MS[asked.timeframe]
        const within = ({ horizon }: { horizon: number }) => horizon <= asked.horizon_steps
        return {
          symbol: asked.symbol,
          timeframe: asked.timeframe,
          version: model.version,
          hash: model.hash,
          method: 'quantile',
          lookback: traits.lookback,
          timestamp: prediction.timestamp,
          current_price: prediction.current_price,
          points: Array.from({ length: asked.horizon_steps }, (_, k) => {
            const [q05, q25, q50, q75, q95] = fan.slice(k * 5, k * 5 + 5) as [number, number, number, number, number]
            return { horizon: k + 1, time: prediction.timestamp + (k + 1) * step, q05, q25, q50, q75, q95 }
          }),
          coverage: {
            holdout: holdoutCoverage(traits).filter(within),
            live: (await sealed.coverage(model.version, asked.symbol, asked.timeframe)).filter(within),
          },
        }
      }),

    /** Where the next close was said to land, candle by candle; one batch after the other, as all that is predicted. */
    ranges: (asked: Asked & { limit: number }): Promise<RangeRow[]> =>
      withModel(asked, (model) => inTurn(() => predictionRanges(candles, asked, model, asked.limit))),
  }
}

/** What models say of the candles to come, now and in the past. */
export const createPredictionService = (deps: PredictionServiceDeps) => {
  const shared = askingOf(deps)
  const { kept, inTurn, withModel } = shared
  const { candles, log } = deps

  const underWay = createCache<PredictionRow[]>({ max: 1000 })

  const keepFailed = (error: unknown): void => log.error({ err: error }, 'predictions could not be kept')

  const predict = (asked: Asked & { limit: number }, source: CandleSource = candles): Promise<Prediction> =>
    withModel(asked, async (model) => (await forecastNewest(source, asked, model, asked.limit, kept)).prediction)

  /** One version's forecast, or in words why there is none. Throws `unknown_symbol`, which no version could predict. */
  const attempt = async (asked: Asked & { version: string; limit: number }, source: CandleSource) => {
    const { version } = asked
    try {
      return { version, prediction: await predict(asked, source), error: null }
    } catch (error) {
      if (error instanceof AppError && error.code === 'unknown_symbol') throw error
      if (error instanceof AppError) return { version, prediction: null, error: error.message }
      log.error({ err: error, version }, 'a prediction failed')
      return { version, prediction: null, error: 'The prediction failed by an error of the program.' }
    }
  }
  return {
    ...fansOf(deps, shared),

    predict: (asked: Asked & { limit: number }): Promise<Prediction> => predict(asked),

    /**
     * One forecast a version, in the order asked; a version that cannot predict keeps none of the others from it. Throws
     * `unknown_symbol`.
     */
    async predictMulti(asked: SeriesName & { versions: string[]; limit: number }) {
      const { versions, ...rest } = asked
      const source = askedOnce(candles)
      const results = []
      for (const version of versions) results.push(await attempt({ ...rest, version }, source))
      return { results }
    },

    /**
     * The forecast of one version, or of its artifact that is `pinned`, at the last closed candle up to `toMs`, with all
     * that a record of it needs.
     */
    forecast: (asked: SeriesName & { version: string; toMs?: number; pinned?: PinnedArtifact }): Promise<Forecast> =>
      withModel(asked, (model) => forecastNewest(candles, asked, model, 1, kept, asked.toMs)),

    /** What a policy would hold now. Throws as `predict` does where it asks a model. */
    policyShare: (asked: Asked & PolicyShareQuery) =>
      policyShare(candles, asked, () => withModel(asked, (model) => forecastNewest(candles, asked, model, 1, kept))),

    /** Candle by candle, oldest first; who asks for the same at the same time gets the same rows. */
    history: (query: HistoryQuery): Promise<PredictionRow[]> => {
      const until = [query.to, query.before === undefined ? undefined : query.before - 1].filter(
        (time) => time !== undefined,
      )
      const range = {
        fromMs: Math.max(query.from ?? 0, query.since === undefined ? 0 : query.since + 1),
        toMs: until.length === 0 ? undefined : Math.min(...until),
        limit: query.limit,
      }
      const key = JSON.stringify([query.symbol, query.timeframe, query.version, range])
      const make = () =>
        withModel(query, (model) => predictionHistory({ ...deps, inTurn, keepFailed }, query, model, range))
      return (
        underWay
          .get(key, make)
          // A version that was asked for by name gets the error.
          .catch(query.version === undefined ? orElse([], 'model_not_trained') : undefined)
          .finally(() => underWay.forget(key))
      )
    },
  }
}

export type PredictionService = ReturnType<typeof createPredictionService>

import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type BacktestSettings, backtestSettings, costSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, emptyCandles, joinCandles } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import type { FundingSeries } from '@shapecast/engine/models/funding'
import { candlesHash } from '@shapecast/ml/recipe/data-hash'
import { deciderOf } from '../deciders/deciders.ts'
import type { OpenaiService } from '../forecasts/openai/openai-service.ts'
import type { FinerCandles } from '../market/read-candles.ts'
import type { SeriesMarket } from '../market/series-market.ts'
import type { LentModels } from '../models/model-service.ts'
import type { BacktestOrder } from './backtest-order.ts'
import type { ForecastStore } from './forecast-store.ts'
import { type Forecasts, forecastRun } from './predict-candles.ts'
import { type RunCandles, runCandlesOf } from './run-candles.ts'
import type { SeenRange } from './seen-ranges.ts'

export interface BacktestBotDeps {
  market: SeriesMarket
  models: LentModels
  /** Forecasts of earlier runs. */
  kept: ForecastStore
  /** What an openai bot decided while it ran, by candle: codes of DECISION, confidences, and how many are known. */
  keptVotes: OpenaiService['keptVotes']
  /** The smallest stored candles of a pair, smaller than the timeframe; null where there are none. */
  finer?(symbol: string, timeframe: Timeframe): Promise<FinerCandles | null>
  now(): number
}

export interface BacktestBotHooks {
  signal?: AbortSignal
  /** Candles done of candles to do. */
  onProgress?(current: number, total: number): void
  /** Its equity at every close, quote. */
  onEquity?(equity: Float64Array, run: Candles): void
  /** Whom to ask; those of the plan where none are named. */
  versions?: readonly string[]
}

export interface Forecast {
  version: string
  hash: string
  forecasts: Forecasts
  basis: Candles
  seen: SeenRange
}

/** One pair, ready for the engine. */
export interface PreparedPair {
  symbol: string
  versions: readonly string[]
  candles: RunCandles
  forecasts: readonly Forecast[]
  decisions: Int8Array | Float64Array
  confidence: Float64Array
  settings: BacktestSettings
  /** Null where no rates are stored. */
  funding: FundingSeries | null
  /** All candles that its decisions rest on. */
  basis: Candles
  /** Candles for which a decision was kept; null where models decide. */
  replayed: number | null
}

/** A pair's candles, forecasts, decisions and settings. */
export async function preparePair(
  deps: BacktestBotDeps,
  order: BacktestOrder,
  hooks: BacktestBotHooks,
): Promise<PreparedPair> {
  const { market, models } = deps
  const { plan, symbol, timeframe } = order
  const candles = await runCandlesOf(order, market)
  const { bot } = order
  const decider = deciderOf(bot, plan)
  const versions: string[] = []
  for (const asked of hooks.versions ?? decider.versions(plan))
    versions.push(asked ?? (await models.currentOn(symbol, timeframe)))
  const forecasts = await forecastAll(order, versions, candles, deps, hooks)
  const history = decider.replay === undefined ? decider.history(bot, plan, timeframe) : 0
  const measured = history === 0 ? emptyCandles(0) : await candles.before(history)
  const seen = joinCandles(measured, candles.run)
  const kept =
    decider.replay !== undefined && bot.id !== null
      ? await deps.keptVotes(bot.id, symbol, timeframe, candles.run)
      : null
  const { decisions, confidence } =
    kept === null
      ? decider.columns({
          bot,
          plan,
          timeframe,
          candles: seen,
          from: measured.length,
          forecasts: forecasts.map((each) => each.forecasts),
        })
      : { decisions: kept.signals, confidence: ofCalls(kept.signals, kept.confidences) }
  const rules = await market.rules(symbol)
  return {
    symbol,
    versions,
    candles,
    forecasts,
    decisions,
    confidence,
    settings: backtestSettings({
      ...plan.settings,
      timeframe,
      ...costSettings(order, rules?.tickSize),
      noSameBarReentry: order.noSameBarReentry,
      lotSize: rules?.lotSize ?? 0,
      minNotional: rules?.minNotional ?? 0,
    }),
    funding: rules?.funding ?? null,
    basis: forecasts.reduce((widest, each) => (each.basis.length > widest.length ? each.basis : widest), seen),
    replayed: kept?.known ?? null,
  }
}

/** The confidences that stand behind a BUY or SELL. */
const ofCalls = (signals: Int8Array, confidences: Float64Array): Float64Array =>
  confidences.map((confidence, i) => (signals[i] === DECISION.HOLD ? Number.NaN : confidence))

async function forecastAll(
  order: BacktestOrder,
  versions: readonly string[],
  candles: RunCandles,
  { models, kept, now }: BacktestBotDeps,
  hooks: BacktestBotHooks,
): Promise<Forecast[]> {
  const { symbol, timeframe } = order
  const { run } = candles
  const total = run.length
  const made: Forecast[] = []
  hooks.onProgress?.(0, total)
  for (const version of versions) {
    const { artifactId, hash } = await models.find(version, symbol, timeframe)
    const before = await kept.find(artifactId, run, now())
    const basis = before === undefined ? null : joinCandles(await candles.before(before.history), run)
    if (before !== undefined && basis !== null && candlesHash(basis) === before.candlesHash) {
      made.push({ version, hash, forecasts: before.forecasts, basis, seen: { version, ...before.seen } })
      hooks.onProgress?.(Math.floor((made.length * total) / versions.length), total)
      continue
    }
    const forecast = await models.use(version, symbol, timeframe, async (model) => {
      const { predictor } = model
      const { forecasts, basis } = await forecastRun(candles, predictor, {
        signal: hooks.signal,
        onCandles: (done) => hooks.onProgress?.(Math.floor((made.length * total + done) / versions.length), total),
      })
      const { seen } = predictor.traits
      // What rests on other series too is not told apart by these candles.
      if (!predictor.traits.beside?.length)
        await kept.put(
          model.artifactId,
          run,
          { forecasts, history: predictor.historyCandles, candlesHash: candlesHash(basis), seen },
          now(),
        )
      return { version, hash: model.hash, forecasts, basis, seen: { version, ...seen } }
    })
    made.push(forecast)
  }
  return made
}

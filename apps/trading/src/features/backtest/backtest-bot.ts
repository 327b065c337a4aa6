import type { Metrics, Trade } from '@shapecast/contracts/backtest'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { runBacktest } from '@shapecast/engine/backtest'
import type { BacktestResult } from '@shapecast/engine/backtest-result'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, emptyCandles } from '@shapecast/engine/candles'
import { ENGINE_VERSION } from '@shapecast/engine/engine-version'
import { metricsOf, metricsOfRange } from '@shapecast/engine/metrics'
import { asksModels, decideColumns } from '@shapecast/engine/plan'
import { measuredCandles } from '@shapecast/engine/policies/measures'
import { targetColumn } from '@shapecast/engine/policies/targets'
import { uncertaintyOfRange } from '@shapecast/engine/robustness'
import { thinPoints } from '@shapecast/engine/thin-points'
import type { BacktestOrder } from './backtest-order.ts'
import type { BacktestMarket, BacktestModels } from './collaborators.ts'
import type { ForecastStore } from './forecast-store.ts'
import { type Forecasts, forecastRun } from './predict-candles.ts'
import { joinCandles, type RunCandles, runCandlesOf } from './run-candles.ts'
import { hashCandles, hashData, hashResult } from './run-hashes.ts'
import type { FinishedRun } from './run-store.ts'
import { type SeenRange, splitSeen } from './seen-ranges.ts'

/** Points of a curve, and trades, that a saved run keeps; metrics and hashes are those of all. */
const MOST_KEPT = 20_000

export interface BacktestBotDeps {
  market: BacktestMarket
  models: BacktestModels
  /** Forecasts of earlier runs. */
  kept: Pick<ForecastStore, 'find' | 'put'>
  now(): number
}

export interface BacktestBotHooks {
  signal?: AbortSignal
  /** Candles done of candles to do. */
  onProgress?(current: number, total: number): void
}

interface Forecast {
  version: string
  hash: string
  forecasts: Forecasts
  basis: Candles
  seen: SeenRange
}

/**
 * Runs a backtest: candles, forecasts of each model, consensus, decisions, the engine, metrics. The same order on the
 * same candles and models gives the same result hash. Stores nothing. Throws `no_candles`, `model_not_trained`,
 * `bad_input`, and the reason of `signal` where that fires.
 */
export async function backtestBot(
  deps: BacktestBotDeps,
  order: BacktestOrder,
  hooks: BacktestBotHooks = {},
): Promise<FinishedRun> {
  const { market, models, now } = deps
  const { plan, symbol, timeframe } = order
  const versions = !asksModels(plan)
    ? []
    : plan.versions.length > 0
      ? plan.versions
      : [await models.currentOn(symbol, timeframe)]
  const candles = await runCandlesOf(order, market)
  const forecasts = await forecastAll(order, versions, candles, deps, hooks)
  const measured = plan.targets === undefined ? emptyCandles(0) : await candles.before(measuredCandles(timeframe))
  const { decisions, confidence } = decideRun(order, candles.run, measured, forecasts)
  const rules = await market.rules(symbol)
  const settings = backtestSettings({
    ...plan.settings,
    timeframe,
    feeRate: order.feeRate,
    slippageBps: order.slippageBps,
    noSameBarReentry: order.noSameBarReentry,
    lotSize: rules?.lotSize ?? 0,
    minNotional: rules?.minNotional ?? 0,
  })
  const result = runBacktest(candles.run, decisions, settings)
  const metrics = metricsOf(result, candles.run)
  const split = splitSeen(
    candles.run,
    forecasts.map((each) => each.seen),
    (from, to) => ({
      metrics: metricsOfRange(result, candles.run, from, to),
      uncertainty: uncertaintyOfRange(result, candles.run, from, to),
    }),
  )
  const basis = forecasts.reduce(
    (widest, each) => (each.basis.length > widest.length ? each.basis : widest),
    joinCandles(measured, candles.run),
  )
  const hashes = {
    candles: hashCandles(basis),
    models: forecasts.map((each) => each.hash),
    parameters: hashData({
      settings,
      requireEdge: plan.requireEdge,
      consensus: plan.consensus,
      versions,
      ...(plan.targets === undefined ? {} : { targets: plan.targets }),
    }),
    engine: ENGINE_VERSION,
    result: hashResult(decisions, result),
  }
  return {
    summary: {
      ...summaryOf(order, versions, candles.run, result, metrics, now()),
      venue: market.venue,
      market: market.kind,
      uncertainty: uncertaintyOfRange(result, candles.run, 0, candles.run.length),
      unseen: split.seen.unseen,
      seenRatio: split.seenRatio,
    },
    detail: {
      meta: {
        signals: {
          buy: result.signals.buy,
          sell: result.signals.sell,
          hold: result.signals.hold + result.signals.close,
        },
        avgConfidence: meanOf(confidence),
        entries: result.entries,
        closes: result.closes,
        skippedOrders: result.skipped.map(({ reason, count }) => ({ reason, count })),
        haltedAt: result.haltedAt,
        gaps: { count: result.gaps.count, missingCandles: result.gaps.missingCandles },
        fundingKnown: result.fundingKnown,
        candlesFrom: candles.from,
        hashes,
      },
      seen: split.seen,
      openPosition: openPositionOf(result),
      trades: result.trades.slice(-MOST_KEPT).map(shownTrade),
      equityCurve: thinPoints(result.equity, MOST_KEPT).map((i) => ({
        t: candles.run.ts[i]!,
        equity: result.equity[i]!,
      })),
      mlPredictions: lstmLine(candles.run, forecasts, TIMEFRAME_MS[order.timeframe]),
    },
  }
}

/** The decision at each close of the run: a code, or of a policy the share of the equity to hold. */
function decideRun(
  { plan, timeframe }: BacktestOrder,
  run: Candles,
  measured: Candles,
  forecasts: readonly Forecast[],
): { decisions: Int8Array | Float64Array; confidence: Float64Array } {
  if (plan.targets === undefined)
    return decideColumns(
      forecasts.map((each) => each.forecasts),
      plan,
    )
  const volatilities = forecasts.map((each) => each.forecasts.volatility)
  return {
    decisions: targetColumn(plan.targets, joinCandles(measured, run), measured.length, timeframe, volatilities),
    confidence: new Float64Array(run.length).fill(Number.NaN),
  }
}

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
    if (before !== undefined && basis !== null && hashCandles(basis) === before.candlesHash) {
      made.push({ version, hash, forecasts: before.forecasts, basis, seen: { version, ...before.seen } })
      hooks.onProgress?.(Math.floor((made.length * total) / versions.length), total)
      continue
    }
    const forecast = await models.use(version, symbol, timeframe, async (model) => {
      const { predictor } = model
      const { forecasts, basis } = await forecastRun(candles, predictor, {
        ...(hooks.signal === undefined ? {} : { signal: hooks.signal }),
        onCandles: (done) => hooks.onProgress?.(Math.floor((made.length * total + done) / versions.length), total),
      })
      const { seen } = predictor.traits
      const candlesHash = hashCandles(basis)
      await kept.put(model.artifactId, run, { forecasts, history: predictor.historyCandles, candlesHash, seen }, now())
      return { version, hash: model.hash, forecasts, basis, seen: { version, ...seen } }
    })
    made.push(forecast)
  }
  return made
}

/** The final balance is marked at the last close, an open position included, so that it agrees with the return. */
const summaryOf = (
  order: BacktestOrder,
  versions: readonly string[],
  run: Candles,
  result: BacktestResult,
  metrics: Metrics,
  nowMs: number,
) => ({
  symbol: order.symbol,
  timeframe: order.timeframe,
  startTime: run.ts[0]!,
  endTime: run.ts[run.length - 1]!,
  candles: run.length,
  initialBalance: order.plan.settings.initialBalance,
  finalBalance: result.finalEquity,
  totalReturnPct: metrics.totalReturnPct,
  params: {
    mode: order.mode,
    botId: order.bot.id,
    botName: order.bot.name,
    strategy: order.bot.strategy,
    riskLevel: order.bot.riskLevel,
    positionSize: order.bot.positionSize,
    marketType: order.plan.settings.market,
    leverage: order.plan.settings.leverage,
    maxDrawdown: order.plan.settings.maxDrawdownPct,
    mlModelVersion: versions.length === 1 ? versions[0]! : null,
    mlModelVersions: versions.length < 2 ? null : [...versions],
    timeframe: order.timeframe,
    feeRate: order.feeRate,
    slippageBps: order.slippageBps,
    noSameBarReentry: order.noSameBarReentry,
    createdAt: nowMs,
  },
  metrics,
})

const shownTrade = (trade: BacktestResult['trades'][number]): Trade => ({
  side: trade.side,
  entryTime: trade.entryTime,
  exitTime: trade.exitTime,
  entryPrice: trade.entryPrice,
  exitPrice: trade.exitPrice,
  quantity: trade.quantity,
  netPnL: trade.netPnL,
  fees: trade.fees,
  funding: trade.funding,
  exitReason: trade.exitReason,
})

const openPositionOf = ({ openPosition: open }: BacktestResult) =>
  open === null
    ? null
    : {
        side: open.side,
        entryPrice: open.entryPrice,
        entryTime: open.entryTime,
        quantity: open.quantity,
        unrealizedPnL: open.unrealizedPnL,
      }

/** The LSTM's median of the next close, of an ensemble the mean; a point stands at the candle that it forecasts. */
function lstmLine(run: Candles, models: readonly Forecast[], timeframeMs: number) {
  const line = Float64Array.from(run.ts, (_, i) => {
    const known = models.map((model) => model.forecasts.lstm[i]!).filter(Number.isFinite)
    return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0) / known.length
  })
  return thinPoints(line, MOST_KEPT)
    .filter((i) => Number.isFinite(line[i]))
    .map((i) => ({ timestamp: run.ts[i]!, aligned_ts: run.ts[i]! + timeframeMs, lstm_prediction: line[i]! }))
}

function meanOf(values: Float64Array): number | null {
  let sum = 0
  let count = 0
  for (const value of values)
    if (Number.isFinite(value)) {
      sum += value
      count++
    }
  return count === 0 ? null : sum / count
}

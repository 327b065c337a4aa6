import type { Metrics } from '@shapecast/contracts/backtest'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { runBacktest } from '@shapecast/engine/backtest'
import { runPairs } from '@shapecast/engine/backtest-pairs'
import type { BacktestResult, OpenPosition } from '@shapecast/engine/backtest-result'
import { type BacktestSettings, backtestSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, emptyCandles } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import { runWithDetail } from '@shapecast/engine/detail'
import { ENGINE_VERSION } from '@shapecast/engine/engine-version'
import { metricsOf, metricsOfRange } from '@shapecast/engine/metrics'
import type { FundingSeries } from '@shapecast/engine/models/funding'
import type { Plan } from '@shapecast/engine/policies/plan'
import { intervalsOfRange } from '@shapecast/engine/run-intervals'
import { sharpeOverHolding } from '@shapecast/engine/search/search-runs'
import { thinPoints } from '@shapecast/engine/thin-points'
import { deciderOf } from '../deciders/deciders.ts'
import { hashData } from '../ground/hash-data.ts'
import type { FinerCandles } from '../market/finer-candles.ts'
import type { SeriesMarket } from '../market/series-market.ts'
import type { LentModels } from '../models/lent-models.ts'
import type { BacktestOrder } from './backtest-order.ts'
import type { ForecastStore } from './forecast-store.ts'
import { judgedRun } from './judged-run.ts'
import { type Forecasts, forecastRun } from './predict-candles.ts'
import { randomEntries } from './random-entries.ts'
import { joinCandles, type RunCandles, runCandlesOf } from './run-candles.ts'
import { hashCandles, hashResult } from './run-hashes.ts'
import type { FinishedRun } from './run-store.ts'
import { type SeenRange, splitSeen } from './seen-ranges.ts'
import { shownTrade } from './shown-trade.ts'

/** Points of a curve, and trades, that a saved run keeps; metrics and hashes are those of all. */
const MOST_KEPT = 10_000

export interface BacktestBotDeps {
  market: SeriesMarket
  models: LentModels
  /** Forecasts of earlier runs. */
  kept: Pick<ForecastStore, 'find' | 'put'>
  /** What an openai bot decided while it ran, by candle: codes of DECISION, confidences, and how many are known. */
  keptVotes(
    botId: string,
    symbol: string,
    timeframe: Timeframe,
    run: Candles,
  ): Promise<{ signals: Int8Array; confidences: Float64Array; known: number }>
  /** The smallest stored candles of a pair, smaller than the timeframe; null where there are none. */
  finer?(symbol: string, timeframe: Timeframe): Promise<FinerCandles | null>
  now(): number
}

export interface BacktestBotHooks {
  signal?: AbortSignal
  /** Candles done of candles to do. */
  onProgress?(current: number, total: number): void
  /** Whom to ask; those of the plan where none are named. */
  versions?: readonly string[]
}

interface Forecast {
  version: string
  hash: string
  forecasts: Forecasts
  basis: Candles
  seen: SeenRange
}

/** One pair, ready for the engine. */
interface PreparedPair {
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

/**
 * Runs a backtest: candles, forecasts of each model, consensus, decisions, the engine, metrics. The same order on the
 * same candles and models gives the same result hash. Stores nothing. Throws `no_candles`, `model_not_trained`,
 * `bad_input`, `unprocessable` (an openai bot without decisions to replay), and the reason of `signal` where that fires.
 */
export async function backtestBot(
  deps: BacktestBotDeps,
  order: BacktestOrder,
  hooks: BacktestBotHooks = {},
): Promise<FinishedRun> {
  const { market, now } = deps
  const { plan } = order
  const symbols = order.symbols ?? [order.symbol]
  const pairs: PreparedPair[] = []
  for (const [k, symbol] of symbols.entries())
    pairs.push(
      await preparePair(
        deps,
        { ...order, symbol },
        {
          ...hooks,
          onProgress: (current, total) => hooks.onProgress?.(k * total + current, symbols.length * total),
        },
      ),
    )
  const caveat = replayCaveat(order, pairs)
  const [first] = pairs as [PreparedPair, ...PreparedPair[]]
  const { candles, settings, versions } = first
  const size = new Float64Array(candles.run.length)
  const finer = await finerOf(deps, pairs, order.timeframe)
  const several =
    pairs.length === 1
      ? null
      : await runWithDetail(
          (detailOf) =>
            runPairs(pairs.map((pair) => ({ ...pair, candles: pair.candles.run, detail: detailOf(pair.symbol) }))),
          finer.load,
        )
  const result =
    several ??
    (await runWithDetail(
      (detailOf) => runBacktest(candles.run, first.decisions, settings, first.funding, size, detailOf()),
      finer.load,
    ))
  const run = several?.basket ?? candles.run
  const forecasts = pairs.flatMap((pair) => pair.forecasts)
  const metrics = metricsOf(result, run)
  const intervals = intervalsOfRange(result, run, 0, run.length)
  const split = splitSeen(
    run,
    forecasts.map((each) => each.seen),
    (from, to) => ({
      metrics: metricsOfRange(result, run, from, to),
      intervals: to - from === run.length ? intervals : intervalsOfRange(result, run, from, to),
    }),
  )
  const told = result.bothReached.filter(({ isTold }) => isTold).length
  const charged = result.fundingAssumed === null ? {} : { fundingAssumed: result.fundingAssumed }
  return {
    summary: {
      ...summaryOf(order, versions, run, result, metrics, now()),
      ...(several === null ? {} : { symbols }),
      venue: market.venue,
      market: market.kind,
      intervals,
      unseen: split.seen.unseen,
      seenRatio: split.seenRatio,
    },
    detail: {
      meta: {
        ...(caveat === null ? {} : { caveat }),
        signals: {
          buy: result.signals.buy,
          sell: result.signals.sell,
          hold: result.signals.hold + result.signals.close,
        },
        avgConfidence: meanOf(pairs.map((pair) => pair.confidence)),
        entries: result.entries,
        closes: result.closes,
        reducedEntries: result.reducedEntries,
        skippedOrders: result.skipped.map(({ reason, count }) => ({ reason, count })),
        haltedAt: result.haltedAt,
        gaps: { count: result.gaps.count, missingCandles: result.gaps.missingCandles },
        fundingKnown: order.plan.settings.market === 'spot' || result.fundingAssumed === 0,
        ...charged,
        ...(result.bothReached.length === 0
          ? {}
          : { bothReached: { candles: result.bothReached.length, told, by: finer.timeframe } }),
        candlesFrom: candles.from,
        hashes: hashesOf(plan, pairs, result, several !== null),
      },
      seen: split.seen,
      sharpeOverHolding:
        several === null ? sharpeOverHolding({ equity: result.equity, size }, run, order.timeframe) : null,
      ...judgedRun(
        { seen: split.seen, meta: { haltedAt: result.haltedAt, ...charged }, trades: result.trades },
        { initialBalance: settings.initialBalance, length: run.length, ts: run.ts, equity: result.equity },
        run,
      ),
      ...(plan.rule === undefined
        ? {}
        : { randomEntries: randomEntries(tradedPairs(pairs, result), split.seen.unseen, split.seenRatio > 0) }),
      openPosition: result.openPosition === null ? null : shownPosition(result.openPosition),
      ...(several === null
        ? {}
        : { openPositions: several.openPositions.map((open) => ({ ...shownPosition(open), symbol: open.symbol })) }),
      trades: result.trades.slice(-MOST_KEPT).map(shownTrade),
      equityCurve: thinPoints(result.equity, MOST_KEPT).map((i) => ({
        t: run.ts[i]!,
        equity: result.equity[i]!,
      })),
      mlPredictions: nextCloseLine(candles.run, first.forecasts, TIMEFRAME_MS[order.timeframe]),
    },
  }
}

/** The hashes of all that went into a run, and of its result. */
function hashesOf(
  plan: Plan,
  pairs: readonly PreparedPair[],
  result: BacktestResult,
  areSeveral: boolean,
): FinishedRun['detail']['meta']['hashes'] {
  const [{ settings, versions, decisions }] = pairs as [PreparedPair, ...PreparedPair[]]
  const [candlesHash, ...otherCandles] = pairs.map(({ basis }) => hashCandles(basis))
  const parameters = {
    settings,
    requireEdge: plan.requireEdge,
    consensus: plan.consensus,
    versions,
    ...(plan.targets === undefined ? {} : { targets: plan.targets }),
    ...(plan.rule === undefined ? {} : { rule: plan.rule }),
    ...(result.fundingAssumed === null ? {} : { funding: pairs.map((pair) => chargedIn(pair)) }),
    ...(result.bothReached.some(({ isTold }) => isTold) ? { told: result.bothReached } : {}),
    ...(areSeveral ? { pairs: pairs.map(({ symbol, settings: own, versions: of }) => [symbol, own, of]) } : {}),
  }
  return {
    candles: areSeveral ? hashData([candlesHash, ...otherCandles]) : candlesHash!,
    models: pairs.flatMap(({ forecasts }) => forecasts.map(({ hash }) => hash)),
    parameters: hashData(parameters),
    engine: ENGINE_VERSION,
    result: areSeveral
      ? hashData(pairs.map((pair) => hashResult(pair.decisions, result)))
      : hashResult(decisions, result),
  }
}

/** The settlements within the candles of a pair; null without any rates. */
function chargedIn({ funding, candles: { run } }: PreparedPair) {
  if (funding === null) return null
  const { ts, rate, mark, known } = funding
  const isWithin = (ms: number) => run.ts[0]! < ms && ms <= run.ts[run.length - 1]!
  return [[...ts].flatMap((ms, k) => (isWithin(ms) ? [[ms, rate[k], mark[k]]] : [])), known]
}

/** Smaller candles within those of stored pairs, and which timeframe they have; null where no pair has any. */
async function finerOf({ finer }: BacktestBotDeps, pairs: readonly PreparedPair[], timeframe: Timeframe) {
  const stored = new Map<string, FinerCandles>()
  for (const { symbol, candles } of pairs) {
    const found = candles.from === 'stored' ? await finer?.(symbol, timeframe) : null
    if (found) stored.set(symbol, found)
  }
  return {
    timeframe: [...stored.values()][0]?.timeframe ?? null,
    load: async (symbol: string | undefined, time: number): Promise<Candles> =>
      (await stored.get(symbol ?? pairs[0]!.symbol)?.load(time, time + TIMEFRAME_MS[timeframe] - 1)) ?? emptyCandles(0),
  }
}

/** What each pair traded; of a run over one its trades name none. */
const tradedPairs = (pairs: readonly PreparedPair[], { trades }: BacktestResult) =>
  pairs.map(({ symbol, candles, settings }) => ({
    candles: candles.run,
    settings,
    trades: trades.filter((trade) => !('symbol' in trade) || trade.symbol === symbol),
  }))

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
      feeRate: order.feeRate,
      slippageBps: order.slippageBps,
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

/** Says what was replayed where nobody could be asked; null where all could. Throws `unprocessable` where that is nothing. */
function replayCaveat({ bot, plan }: BacktestOrder, pairs: readonly PreparedPair[]): string | null {
  const { replay } = deciderOf(bot, plan)
  if (replay === undefined) return null
  const known = pairs.reduce((sum, { replayed }) => sum + (replayed ?? 0), 0)
  const all = pairs.reduce((sum, { candles }) => sum + candles.run.length, 0)
  replay.requireKnown(known > 0)
  return replay.caveat(known, all)
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
      // What rests on other series too is not told apart by these candles.
      if (!predictor.traits.beside?.length)
        await kept.put(
          model.artifactId,
          run,
          { forecasts, history: predictor.historyCandles, candlesHash, seen },
          now(),
        )
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
    ...(order.bot.parameters === undefined ? {} : { parameters: order.bot.parameters }),
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

const shownPosition = ({ side, entryPrice, entryTime, quantity, unrealizedPnL }: OpenPosition) => ({
  side,
  entryPrice,
  entryTime,
  quantity,
  unrealizedPnL,
})

/** The median of the next close, of an ensemble the mean; a point stands at the candle that it forecasts. */
function nextCloseLine(run: Candles, models: readonly Forecast[], timeframeMs: number) {
  const line = Float64Array.from(run.ts, (_, i) => {
    const known = models.map((model) => model.forecasts.nextClose[i]!).filter(Number.isFinite)
    return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0) / known.length
  })
  return thinPoints(line, MOST_KEPT)
    .filter((i) => Number.isFinite(line[i]))
    .map((i) => ({ timestamp: run.ts[i]!, aligned_ts: run.ts[i]! + timeframeMs, lstm_prediction: line[i]! }))
}

function meanOf(columns: readonly Float64Array[]): number | null {
  let sum = 0
  let count = 0
  for (const values of columns)
    for (const value of values)
      if (Number.isFinite(value)) {
        sum += value
        count++
      }
  return count === 0 ? null : sum / count
}

import type { Metrics } from '@shapecast/contracts/backtest-results'
import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { runBacktest } from '@shapecast/engine/backtest'
import { runPairs } from '@shapecast/engine/backtest-pairs'
import type { BacktestResult, OpenPosition } from '@shapecast/engine/backtest-result'
import { type Candles, emptyCandles } from '@shapecast/engine/candles'
import { runWithDetail } from '@shapecast/engine/detail'
import { metricsOf, metricsOfRange } from '@shapecast/engine/metrics'
import type { Plan } from '@shapecast/engine/policies/plan'
import { type TargetedPair, targetsOfMostTraded } from '@shapecast/engine/policies/universe'
import { intervalsOfRange } from '@shapecast/engine/run-intervals'
import { sharpeOverHolding } from '@shapecast/engine/search/search-runs'
import { thinPoints } from '@shapecast/engine/thin-points'
import { deciderOf } from '../deciders/deciders.ts'
import type { FinerCandles } from '../market/read-candles.ts'
import type { BacktestOrder } from './backtest-order.ts'
import { judgedRun } from './judged-run.ts'
import {
  type BacktestBotDeps,
  type BacktestBotHooks,
  type Forecast,
  type PreparedPair,
  preparePair,
} from './prepare-pair.ts'
import { randomEntries } from './random-entries.ts'
import { NO_CANDLES, rankedCandles, sharedRange } from './run-candles.ts'
import { hashesOf } from './run-hashes.ts'
import type { FinishedRun } from './run-store.ts'
import { splitSeen } from './seen-ranges.ts'
import { shownTrade } from './shown-trade.ts'

/** Points of a curve, and trades, that a saved run keeps; metrics and hashes are those of all. */
const MOST_KEPT = 10_000

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
  const named = order.symbols ?? [order.symbol]
  const range = plan.targets?.mostTraded ? await sharedRange(market, order, named) : null
  const pairs: PreparedPair[] = []
  const ranked: TargetedPair[] = []
  for (const [k, symbol] of named.entries())
    try {
      pairs.push(
        await preparePair(
          deps,
          { ...order, ...range, symbol },
          {
            ...hooks,
            onProgress: (current, total) => hooks.onProgress?.(k * total + current, named.length * total),
          },
        ),
      )
    } catch (error) {
      if (range === null || !(error instanceof AppError) || error.code !== 'no_candles') throw error
      // It has died before, or comes later: it still has its place among the most traded of the first month.
      const basis = await rankedCandles(market, symbol, order.timeframe, range.fromMs)
      ranked.push({ symbol, candles: emptyCandles(0), decisions: [], basis })
    }
  if (pairs.length === 0) throw new AppError('no_candles', NO_CANDLES)
  const symbols = pairs.map(({ symbol }) => symbol)
  const held =
    plan.targets?.mostTraded &&
    targetsOfMostTraded(
      [...pairs.map((pair) => ({ ...pair, candles: pair.candles.run })), ...ranked],
      plan.targets.pairs,
      TIMEFRAME_MS[order.timeframe],
    )
  if (held) for (const [k, pair] of pairs.entries()) pair.decisions = held.targets[k]!
  const caveat = replayCaveat(order, pairs) ?? universeCaveat(plan, named)
  const [first] = pairs as [PreparedPair, ...PreparedPair[]]
  const { candles, settings, versions } = first
  const size = new Float64Array(candles.run.length)
  const finer = await finerOf(deps, pairs, order.timeframe)
  const several =
    pairs.length === 1 && !held
      ? null
      : await runWithDetail(
          (detailOf) =>
            runPairs(
              pairs.map((pair) => ({ ...pair, candles: pair.candles.run, detail: detailOf(pair.symbol) })),
              held ? held.goneAt : undefined,
            ),
          finer.load,
        )
  const result =
    several ??
    (await runWithDetail(
      (detailOf) => runBacktest(candles.run, first.decisions, settings, first.funding, size, detailOf()),
      finer.load,
    ))
  const run = several?.basket ?? candles.run
  hooks.onEquity?.(result.equity, run)
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
        ...(result.posted === undefined ? {} : { posted: result.posted }),
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

/** Says what such a choice of coins leaves out; null where all pairs are held. */
const universeCaveat = ({ targets }: Plan, { length }: readonly string[]): string | null =>
  targets?.mostTraded
    ? `Held were the ${targets.pairs} most traded of these ${length} pairs, month by month. Coins that died are missing unless their candles are stored, so the past looks better than it was.`
    : null

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

/** Says what was replayed where nobody could be asked; null where all could. Throws `unprocessable` where that is nothing. */
function replayCaveat({ bot, plan }: BacktestOrder, pairs: readonly PreparedPair[]): string | null {
  const { replay } = deciderOf(bot, plan)
  if (replay === undefined) return null
  const known = pairs.reduce((sum, { replayed }) => sum + (replayed ?? 0), 0)
  const all = pairs.reduce((sum, { candles }) => sum + candles.run.length, 0)
  replay.requireKnown(known > 0)
  return replay.caveat(known, all)
}

const paramsOf = ({ mode, bot, timeframe, feeRate, slippageBps, postOnly, noSameBarReentry }: BacktestOrder) => {
  const { id: botId, name: botName, ...subject } = bot
  return {
    mode,
    botId,
    botName,
    ...subject,
    timeframe,
    feeRate,
    slippageBps,
    ...(postOnly && { postOnly }),
    noSameBarReentry,
  }
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
    ...paramsOf(order),
    marketType: order.plan.settings.market,
    leverage: order.plan.settings.leverage,
    maxDrawdown: order.plan.settings.maxDrawdownPct,
    mlModelVersion: versions.length === 1 ? versions[0]! : null,
    mlModelVersions: versions.length < 2 ? null : [...versions],
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

import type { Metrics, RunIntervals } from '@shapecast/contracts/backtest-results'
import type { WalkFold } from '@shapecast/contracts/walk-forward'
import { createAccount } from '../account.ts'
import { BacktestJournal, resultOf } from '../backtest.ts'
import type { BacktestResult } from '../backtest-result.ts'
import { backtestSettings } from '../backtest-settings.ts'
import { type Candles, dailyCloses, sliceCandles } from '../candles.ts'
import { DECISION } from '../decisions.ts'
import { metricsOf, metricsOfRange } from '../metrics.ts'
import { type Plan, planOf } from '../policies/plan.ts'
import { targetColumn } from '../policies/targets.ts'
import { createRuleColumns } from '../rules/rule-columns.ts'
import { ruleDecisions } from '../rules/rule-decisions.ts'
import { createRules } from '../rules.ts'
import { intervalsOfRange } from '../run-intervals.ts'
import { createSearchRuns, dailyExcess, type SearchGround, yearlySharpe } from '../search/search-runs.ts'
import { pointsOf, valuesAt } from '../search/search-space.ts'
import { botAt } from '../search/searched-bot.ts'
import { step } from '../step.ts'
import type { Fold } from './folds.ts'

/** The settings that a fold trades, and what they did where they were chosen. */
export interface FoldChoice {
  /** Of the space; null where no point closed enough trades: what traded before goes on. */
  readonly place: number | null
  readonly sharpe: number
  readonly netReturnPct: number
  readonly trades: number
}

/** The point with the best Sharpe ratio on the training candles of a fold, of those with at least `minTrades`; the first of equals. */
export function chooseFold(ground: SearchGround, { trainFrom, testFrom }: Fold, minTrades: number): FoldChoice {
  const runs = createSearchRuns(stretchOf(ground, trainFrom, testFrom))
  let best: FoldChoice = { place: null, sharpe: Number.NEGATIVE_INFINITY, netReturnPct: 0, trades: 0 }
  for (const place of pointsOf(ground.space)) {
    const { sharpe, netReturnPct, trades } = runs.run(place)
    if (trades >= minTrades && sharpe > best.sharpe) best = { place, sharpe, netReturnPct, trades }
  }
  return best
}

/** What a fold did on the candles that followed. */
export type FoldResult = WalkFold['outOfSample']

export interface WalkResult {
  readonly folds: readonly FoldResult[]
  /** All test stretches, end to end, on one account. */
  readonly result: BacktestResult
  readonly candles: Candles
  readonly metrics: Metrics
  readonly intervals: RunIntervals
  /** Mean Sharpe ratio of the folds where they were chosen, and of those that traded on what followed. */
  readonly inSampleSharpe: number | null
  readonly outOfSampleSharpe: number | null
  /** Out of sample over in sample; null where in sample it is 0 or less. */
  readonly efficiency: number | null
}

/**
 * Trades each fold with what was chosen for it: one account goes through all test stretches. At the close before a stretch
 * its settings decide for the first time; a position from before stays, with the stop and target of its entry.
 */
export function stitchFolds(ground: SearchGround, folds: readonly Fold[], choices: readonly FoldChoice[]): WalkResult {
  const { timeframe, costs, bot, funding } = ground
  const walked = sliceCandles(ground.candles, ground.from)
  const [start, end] = [folds[0]!.testFrom, folds.at(-1)!.testTo]
  const candles = sliceCandles(walked, start, end)
  const account = createAccount(bot.initialBalance)
  const journal = new BacktestJournal()
  const equity = new Float64Array(candles.length)
  const share = new Float64Array(candles.length)
  const holdsShare = planAt(ground, 0).targets !== undefined
  const nothing = holdsShare ? Number.NaN : DECISION.HOLD
  const decided = holdsShare ? new Float64Array(candles.length) : new Int8Array(candles.length)
  let place: number | null = null
  for (const [k, fold] of folds.entries()) {
    place = choices[k]!.place ?? place
    const plan = planAt(ground, place ?? 0)
    const rules = createRules(backtestSettings({ ...plan.settings, timeframe, ...costs }), funding)
    const trader = { account, rules, journal }
    const decisions = place === null ? null : decisionsFor(ground, plan, fold)
    for (let i = fold.testFrom; i < fold.testTo; i++) {
      const at = i - start
      // No position can be open on the first candle of a run.
      const decision = at === 0 || decisions === null ? nothing : decisions[i - fold.testFrom]!
      equity[at] = step(trader, candles, at, decision)
      share[at] = equity[at]! > 0 ? (account.size * candles.close[at]!) / equity[at]! : 0
      decided[at] = decision
    }
  }
  const settings = backtestSettings({ ...planAt(ground, 0).settings, timeframe, ...costs })
  const rules = createRules(settings, funding)
  const ended = [{ rules, candles, decisions: decided, account, journal }]
  const result = resultOf(settings, ended, journal.trades, equity, account)
  const found = folds.map(({ testFrom, testTo }) => {
    const { totalReturnPct, buyAndHoldReturnPct, trades } = metricsOfRange(
      result,
      candles,
      testFrom - start,
      testTo - start,
    )
    const sharpe = foldSharpe(equity, share, candles, testFrom - start, testTo - start, timeframe)
    return { sharpe, netReturnPct: totalReturnPct, holdPct: buyAndHoldReturnPct, trades }
  })
  const inSampleSharpe = meanOf(choices.flatMap(({ place, sharpe }) => (place === null ? [] : [sharpe])))
  const outOfSampleSharpe = meanOf(found.flatMap(({ sharpe }) => sharpe ?? []))
  return {
    folds: found,
    result,
    candles,
    metrics: metricsOf(result, candles),
    intervals: intervalsOfRange(result, candles, 0, candles.length),
    inSampleSharpe,
    outOfSampleSharpe,
    efficiency:
      inSampleSharpe === null || outOfSampleSharpe === null || inSampleSharpe <= 0
        ? null
        : outOfSampleSharpe / inSampleSharpe,
  }
}

const planAt = (ground: SearchGround, place: number): Plan => planOf(botAt(ground.bot, valuesAt(ground.space, place)))

/** Candles `from` to `to` of the walk, the last left out, with a history as long as that of the whole. */
function stretchOf(ground: SearchGround, from: number, to: number): SearchGround {
  const { candles, forecast } = ground
  const end = ground.from + to
  const part = (column: Float64Array) => column.subarray(from, end)
  return {
    ...ground,
    candles: sliceCandles(candles, from, end),
    forecast: forecast && {
      pUp: part(forecast.pUp),
      sigma: part(forecast.sigma),
      edgeBps: part(forecast.edgeBps),
      medians: forecast.medians.map(part),
    },
  }
}

/** What the settings decide at the close before each candle of a test stretch. */
function decisionsFor(ground: SearchGround, { rule, targets }: Plan, { testFrom, testTo }: Fold) {
  const { candles, from, timeframe, forecast } = stretchOf(ground, testFrom - 1, testTo - 1)
  return rule === undefined
    ? targetColumn(targets!, candles, from, timeframe, [])
    : ruleDecisions(rule, createRuleColumns({ candles, timeframe, forecast })).subarray(from)
}

/** Of the days of a stretch, from the close before it on, over holding as much; null where nothing was held. */
function foldSharpe(
  equity: Float64Array,
  share: Float64Array,
  candles: Candles,
  from: number,
  to: number,
  timeframe: SearchGround['timeframe'],
): number | null {
  if (share.subarray(from, to).every((held) => held === 0)) return null
  const days = dailyCloses(sliceCandles(candles, from, to), timeframe).map((day) => from + day)
  const at = (column: Float64Array) => Float64Array.from(days, (day) => column[day]!)
  return yearlySharpe(dailyExcess({ equity: at(equity), share: at(share) }, candles.close, days))
}

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

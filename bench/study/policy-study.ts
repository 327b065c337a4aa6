import type { RISK_PCT_A_YEAR, TargetPolicy } from '@shapecast/contracts/policies'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { createAccount } from '@shapecast/engine/account'
import { type BacktestSettings, backtestSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, dailyCloses, indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import { DECISION } from '@shapecast/engine/decisions'
import { type Journal, SILENT } from '@shapecast/engine/journal'
import { squaredReturns, steadyVolatility } from '@shapecast/engine/policies/measures'
import { targetColumn, targetPlanOf } from '@shapecast/engine/policies/targets'
import { trendVotes } from '@shapecast/engine/policies/trend-votes'
import { createRules } from '@shapecast/engine/rules'
import { step } from '@shapecast/engine/step'

const DAY_MS = 86_400_000

/** One rule on one stretch of candles, from an equity of 1. */
export interface StudiedRule {
  rule: string
  finalEquity: number
  /** Of daily returns, times √365. */
  sharpe: number
  /** Deepest fall of the equity from a peak, at closes, 0 or below. */
  maxDrawdownPct: number
  /** Notional traded over equity, a year. */
  turnoverPerYear: number
  /** Orders filled. */
  trades: number
}

export interface PolicyStudy {
  rules: StudiedRule[]
  /** Yearly volatility (ratio) at the first decision. */
  volatility: number
  /** Mean share of the trend ensemble's rules that were long at the decisions, that at the last close included. */
  meanVotes: number
}

/** An equity of 1, fee 6 bps and slippage 5 bps on each fill. */
export const studySettings = (timeframe: Timeframe): BacktestSettings =>
  backtestSettings({
    market: 'spot',
    timeframe,
    initialBalance: 1,
    leverage: 1,
    sizing: { kind: 'percent_of_equity', pct: 100 },
    feeRate: 0.0006,
    slippageBps: 5,
  })

/**
 * The policies and two rules to measure them by on the candles that open from `fromMs` to before `toMs`, with the
 * candles before as warm-up. Fee 6 bps and slippage 5 bps on each fill; the first decision is made at the close at
 * `fromMs` and nothing is sold at the end. Throws a RangeError where the stretch has no candles, or none before it.
 */
export function studyPolicies(candles: Candles, timeframe: Timeframe, fromMs: number, toMs: number): PolicyStudy {
  const from = indexAtOrAfter(candles, fromMs)
  const known = sliceCandles(candles, 0, indexAtOrAfter(candles, toMs))
  if (from === 0 || known.length <= from)
    throw new RangeError('The stretch has no candles, or there are none before it: name one inside of the file.')
  const base = studySettings(timeframe)
  const follow = (rule: string, decisions: Int8Array | Float64Array, targetBand?: number): StudiedRule => {
    const settings = targetBand === undefined ? base : { ...base, targetBand }
    return { rule, ...walk(known, from, known.length, decisions, settings) }
  }
  const policy = (name: TargetPolicy, riskLevel: keyof typeof RISK_PCT_A_YEAR): StudiedRule => {
    const plan = targetPlanOf({ policy: name, riskLevel, pairs: 1 })!
    const rule = riskLevel === 'medium' ? name : `${name} ${riskLevel}`
    return follow(rule, targetColumn(plan, known, from - 1, timeframe, []), plan.band)
  }
  const hold = Float64Array.from({ length: known.length - from + 1 }, (_, k) => (k === 0 ? 1 : Number.NaN))
  const afterFall = Int8Array.from({ length: known.length - from + 1 }, (_, k) =>
    known.close[from - 1 + k]! < known.open[from - 1 + k]! ? DECISION.BUY : DECISION.CLOSE,
  )
  const votes = trendVotes(known, timeframe)
  const decided = dailyCloses(known, timeframe).filter((i) => i >= from - 1)
  return {
    meanVotes: decided.reduce((sum, i) => sum + votes(i), 0) / decided.length,
    volatility: steadyVolatility(squaredReturns(known.close), from - 1, timeframe),
    rules: [
      follow('hold', hold, 0),
      policy('fixed_share', 'medium'),
      policy('steady_risk', 'low'),
      policy('steady_risk', 'medium'),
      policy('steady_risk', 'high'),
      policy('trend_steady_risk', 'low'),
      policy('trend_steady_risk', 'medium'),
      policy('trend_steady_risk', 'high'),
      policy('trend_ensemble', 'low'),
      policy('trend_ensemble', 'medium'),
      policy('trend_ensemble', 'high'),
      follow('long_after_a_fall', afterFall),
    ],
  }
}

/** Steps through the candles from `from` to before `to` with the decisions of the closes from `from` − 1 on. */
export function walk(
  candles: Candles,
  from: number,
  to: number,
  decisions: Int8Array | Float64Array,
  settings: BacktestSettings,
): Omit<StudiedRule, 'rule'> {
  const account = createAccount(settings.initialBalance)
  const rules = createRules(settings)
  let trades = 0
  let turnover = 0
  let equityAtOpen = account.equity
  const journal: Journal = {
    ...SILENT,
    fill({ quantity, rawPrice }) {
      trades++
      turnover += (quantity * rawPrice) / equityAtOpen
    },
  }
  const timeframeMs = TIMEFRAME_MS[settings.timeframe]
  const daily = [account.equity]
  let day = Math.floor(candles.ts[from]! / DAY_MS)
  let deepest = 0
  for (let i = from; i < to; i++) {
    equityAtOpen = account.balance + account.size * (candles.open[i]! - account.entryPrice)
    const equity = step({ account, rules, journal }, candles, i, decisions[i - from]!)
    deepest = Math.min(deepest, equity / account.peak - 1)
    const closedOn = Math.floor((candles.ts[i]! + timeframeMs) / DAY_MS)
    if (closedOn > day) daily.push(equity)
    day = closedOn
  }
  const years = (candles.ts[to - 1]! + timeframeMs - candles.ts[from]!) / (365.25 * DAY_MS)
  return {
    finalEquity: account.equity,
    sharpe: sharpeOf(daily),
    maxDrawdownPct: 100 * deepest,
    turnoverPerYear: turnover / years,
    trades,
  }
}

export function sharpeOf(daily: readonly number[]): number {
  const returns = daily.slice(1).map((equity, k) => equity / daily[k]! - 1)
  const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length
  const variance = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (returns.length - 1)
  return (mean / Math.sqrt(variance)) * Math.sqrt(365)
}

/** Markdown, as in docs/bots.md. */
export function policyTable({ rules, volatility, meanVotes }: PolicyStudy): string {
  return `${studyRows(rules)}\n\nYearly volatility at the first decision: ${volatility.toFixed(5)}. Mean share of the ensemble's rules that were long: ${meanVotes.toFixed(10)}. Risk is medium (40 % a year) where none is named.`
}

/** Rules as a table. */
export function studyRows(rules: readonly StudiedRule[]): string {
  const number = (value: number, digits: number): string => value.toFixed(digits).replace('-', '−')
  const rows = rules.map((row) => [
    row.rule,
    number(row.finalEquity, 4),
    number(row.sharpe, 3),
    number(row.maxDrawdownPct, 2),
    `${row.trades}`,
    number(row.turnoverPerYear, 2),
  ])
  const head = ['rule', 'final equity', 'Sharpe', 'worst drawdown, %', 'trades', 'turnover a year']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

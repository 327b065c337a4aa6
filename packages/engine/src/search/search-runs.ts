import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type BacktestSettings, backtestSettings } from '../backtest-settings.ts'
import { type Candles, dailyCloses, sliceCandles } from '../candles.ts'
import type { FundingSeries } from '../models/funding.ts'
import { type Plan, type PlannedBot, planOf } from '../policies/plan.ts'
import { targetColumn } from '../policies/targets.ts'
import { createRuleColumns, type RuleForecast } from '../rules/rule-columns.ts'
import { ruleDecisions } from '../rules/rule-decisions.ts'
import { createRules } from '../rules.ts'
import { sharpeMoments } from '../selection/sharpe.ts'
import { createColumnCache } from './column-cache.ts'
import { type DailyRun, runColumns, runPoint } from './run-point.ts'
import { type SearchSpace, valuesAt } from './search-space.ts'
import { botAt } from './searched-bot.ts'

/** What a search is run on: the candles that it may see. Plain data. */
export interface SearchGround {
  /** Those of the search from index `from` on, after those on which its first decisions rest. The kept part is not among them. */
  readonly candles: Candles
  readonly from: number
  readonly timeframe: Timeframe
  /** Of all candles; null where no model is asked. */
  readonly forecast: RuleForecast | null
  readonly bot: PlannedBot
  /** Of a future whose rates are stored; null: none is charged. */
  readonly funding: FundingSeries | null
  readonly costs: Pick<BacktestSettings, 'feeRate' | 'slippageBps' | 'noSameBarReentry' | 'lotSize' | 'minNotional'>
  readonly space: SearchSpace
}

/** What one point came to. */
export interface PointRun {
  /** Of each day what it brought over holding as much as the point held on average: ratios. */
  readonly excess: Float64Array
  /** Of `excess`: mean over deviation, for a year. */
  readonly sharpe: number
  readonly netReturnPct: number
  /** Percent, 0 or positive. */
  readonly maxDrawdownPct: number
  /** Positions closed. */
  readonly trades: number
  /** Equity at the daily closes, quote. */
  readonly equity: Float64Array
}

const DAYS_A_YEAR = 365.25

/** Runs points of a search on the same candles; an indicator is worked out once for all points that look at it. */
export function createSearchRuns(ground: SearchGround) {
  const { candles, from, timeframe, forecast, bot, costs, funding, space } = ground
  const searched = sliceCandles(candles, from)
  const days = Int32Array.from(dailyCloses(searched, timeframe))
  const columns = runColumns(searched.length)
  const indicators = createColumnCache(candles.length)
  let last: { key: string; decisions: Int8Array | Float64Array } | undefined

  const decisionsOf = (plan: Plan): Int8Array | Float64Array => {
    const { rule, targets } = plan
    const key = JSON.stringify(rule === undefined ? targets : [rule.enter, rule.exit, rule.short, rule.cover])
    if (last?.key === key) return last.decisions
    const decisions =
      rule === undefined
        ? targetColumn(targets!, candles, from, timeframe, [])
        : ruleDecisions(rule, createRuleColumns({ candles, timeframe, forecast }, indicators)).subarray(from)
    last = { key, decisions }
    return decisions
  }

  return {
    /** Rows of each point's series. */
    rows: Math.max(0, days.length - 1),
    /** Throws `bad_input` where the point is no bot: a rule that cannot be read, a setting out of its bounds. */
    run(place: number): PointRun {
      const plan = planOf(botAt(bot, valuesAt(space, place)))
      const settings = backtestSettings({ ...plan.settings, timeframe, ...costs })
      const rules = createRules(settings, funding)
      const run = runPoint(searched, decisionsOf(plan), rules, settings.initialBalance, days, columns)
      return judged(run, searched, settings.initialBalance, days)
    },
  }
}

/** What a run came to, beside holding as much as it held on average. */
function judged(run: DailyRun, { close }: Candles, initialBalance: number, days: Int32Array): PointRun {
  const { finalEquity, maxDrawdownPct, trades } = run
  const excess = dailyExcess(run, close, days)
  return {
    excess,
    sharpe: yearlySharpe(excess),
    netReturnPct: 100 * (finalEquity / initialBalance - 1),
    maxDrawdownPct,
    trades,
    equity: run.equity,
  }
}

/** Of each day what it brought over holding as much as was held on average: ratios. `days` are the candles of the daily closes. */
export function dailyExcess(
  { equity, share }: Pick<DailyRun, 'equity' | 'share'>,
  close: Float64Array,
  days: ArrayLike<number>,
): Float64Array {
  const rows = Math.max(0, days.length - 1)
  const held = rows === 0 ? 0 : share.subarray(0, rows).reduce((sum, value) => sum + value, 0) / rows
  const excess = new Float64Array(rows)
  for (let d = 0; d < rows; d++) {
    const gained = equity[d]! > 0 ? equity[d + 1]! / equity[d]! - 1 : 0
    excess[d] = gained - held * (close[days[d + 1]!]! / close[days[d]!]! - 1)
  }
  return excess
}

/**
 * Sharpe ratio a year of a run's days over holding as much; null where nothing was held. `equity` and `size` (base) at the
 * close of each candle.
 */
export function sharpeOverHolding(
  { equity, size }: { readonly equity: Float64Array; readonly size: Float64Array },
  candles: Candles,
  timeframe: Timeframe,
): number | null {
  const days = dailyCloses(candles, timeframe)
  const share = days.map((day) => (equity[day]! > 0 ? (size[day]! * candles.close[day]!) / equity[day]! : 0))
  if (share.every((held) => held === 0)) return null
  const worth = Float64Array.from(days, (day) => equity[day]!)
  const sharpe = yearlySharpe(dailyExcess({ equity: worth, share: Float64Array.from(share) }, candles.close, days))
  return Number.isFinite(sharpe) ? sharpe : null
}

/** Mean over deviation of daily returns, for a year. */
export const yearlySharpe = (daily: Float64Array): number => sharpeMoments(daily).sharpe * Math.sqrt(DAYS_A_YEAR)

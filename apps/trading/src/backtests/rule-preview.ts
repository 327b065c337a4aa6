import type { RulePreview } from '@shapecast/contracts/rules'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { runBacktest } from '@shapecast/engine/backtest'
import type { BacktestResult } from '@shapecast/engine/backtest-result'
import type { BacktestSettings } from '@shapecast/engine/backtest-settings'
import { type Candles, indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import { metricsOf } from '@shapecast/engine/metrics'
import type { FundingSeries } from '@shapecast/engine/models/funding'
import { nodeText } from '@shapecast/engine/rules/print'
import { createRuleColumns, type RuleColumns, TRUTH } from '@shapecast/engine/rules/rule-columns'
import { ruleDecisions } from '@shapecast/engine/rules/rule-decisions'
import type { Condition, Rule } from '@shapecast/engine/rules/tree'
import { thinPoints } from '@shapecast/engine/thin-points'
import { randomEntries } from './random-entries.ts'
import { shownTrade } from './shown-trade.ts'

/** What a preview is worked out from. Plain data. */
export interface RulePreviewOrder {
  readonly rule: Rule
  readonly symbol: string
  readonly timeframe: Timeframe
  /** Those of the preview from index `from` on, after those on which its first decision rests. */
  readonly candles: Candles
  readonly from: number
  readonly hiddenCandles: number
  readonly settings: BacktestSettings
  /** Of a future whose rates are stored; null: none is charged. */
  readonly funding: FundingSeries | null
}

const MOST_TRADES = 200
const MOST_POINTS = 2000

/** What a rule would have done. */
export function rulePreviewOf(order: RulePreviewOrder): Omit<RulePreview, 'trials'> {
  const { rule, symbol, timeframe, candles, from, hiddenCandles, settings, funding } = order
  const columns = createRuleColumns({ candles, timeframe, forecast: null })
  const run = sliceCandles(candles, from)
  const result = runBacktest(run, ruleDecisions(rule, columns).slice(from), settings, funding)
  const range = { from: run.ts[0]!, to: run.ts[run.length - 1]! }
  return {
    symbol,
    timeframe,
    ...range,
    candles: run.length,
    hiddenCandles,
    conditions: conditionRows(rule, columns, from, result),
    exits: [...Map.groupBy(result.trades, ({ exitReason }) => exitReason)].map(([reason, of]) => ({
      reason,
      count: of.length,
    })),
    metrics: metricsOf(result, run),
    fundingAssumed: result.fundingAssumed,
    investedPct: investedPct(result, run),
    equityCurve: thinPoints(result.equity, MOST_POINTS).map((i) => ({ t: run.ts[i]!, equity: result.equity[i]! })),
    trades: result.trades.slice(-MOST_TRADES).map(shownTrade),
    randomEntries: randomEntries([{ candles: run, trades: result.trades, settings }], range, false),
  }
}

const PARTS = ['enter', 'exit', 'short', 'cover'] as const

/** How often each condition held, and how often those that close were there when they did. */
function conditionRows(
  rule: Rule,
  columns: RuleColumns,
  from: number,
  { trades }: BacktestResult,
): RulePreview['conditions'] {
  const decidedAt = (side: 'long' | 'short') =>
    trades
      .filter((trade) => trade.side === side && trade.exitReason === 'signal')
      .map(({ exitTime }) => indexAtOrAfter(columns.candles, exitTime) - 1)
  const closing = { exit: decidedAt('long'), cover: decidedAt('short'), enter: null, short: null }
  return PARTS.flatMap((part) => {
    const condition = rule[part]
    if (condition === null) return []
    return alternativesOf(condition).map((each) => {
      const truth = columns.truth(each)
      const held = truth.subarray(from)
      return {
        part,
        text: nodeText(each),
        truePct: (100 * held.filter((code) => code === TRUTH.TRUE).length) / held.length,
        fired: closing[part]?.filter((i) => truth[i] === TRUTH.TRUE).length ?? null,
      }
    })
  })
}

/** Of conditions that all or any must hold each, else the one that there is. */
const alternativesOf = (condition: Condition): readonly Condition[] =>
  condition.kind === 'and' || condition.kind === 'or' ? condition.of : [condition]

/** Share of the time that something was held. */
function investedPct({ trades, openPosition }: BacktestResult, { ts, length }: Candles): number {
  const end = ts[length - 1]!
  const open = openPosition === null ? 0 : end - openPosition.entryTime
  const held = trades.reduce((sum, { entryTime, exitTime }) => sum + exitTime - entryTime, open)
  return length < 2 ? 0 : (100 * held) / (end - ts[0]!)
}

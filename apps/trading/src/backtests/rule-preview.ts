import type { Trade } from '@shapecast/contracts/backtest-results'
import { RulePart, type RulePreview } from '@shapecast/contracts/rules'
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
    ...partRows(rule, columns, from, result),
    exits: [...Map.groupBy(result.trades, ({ exitReason }) => exitReason)].map(([reason, of]) => ({
      reason,
      count: of.length,
    })),
    metrics: metricsOf(result, run),
    fundingAssumed: result.fundingAssumed,
    investedPct: investedPct(result, run),
    equityCurve: thinPoints(result.equity, MOST_POINTS).map((i) => ({ t: run.ts[i]!, equity: result.equity[i]! })),
    trades: result.trades
      .slice(-MOST_TRADES)
      .map((trade) => ({ ...shownTrade(trade), because: becauseOf(rule, columns, trade) })),
    randomEntries: randomEntries([{ candles: run, trades: result.trades, settings }], range, false),
  }
}

/** How often each part of a rule and each of its conditions held, and how often those that close were there when they did. */
function partRows(
  rule: Rule,
  columns: RuleColumns,
  from: number,
  { trades }: BacktestResult,
): Pick<RulePreview, 'parts' | 'conditions'> {
  const decidedAt = (side: 'long' | 'short') =>
    trades.flatMap((trade) =>
      trade.side === side && trade.exitReason === 'signal' ? [decidedIndex(columns, trade)] : [],
    )
  const closing = { exit: decidedAt('long'), cover: decidedAt('short'), enter: null, short: null }
  const sharePct = (holds: (i: number) => boolean): number => {
    const { length } = columns.candles
    let count = 0
    for (let i = from; i < length; i++) if (holds(i)) count++
    return (100 * count) / (length - from)
  }
  const found = RulePart.options.flatMap((part) => {
    const condition = rule[part]
    if (condition === null) return []
    const whole = columns.truth(condition)
    const alternatives = alternativesOf(condition)
    const truths = alternatives.map(columns.truth)
    // Where all must hold one decides by being the only one that does not, where any may, by being the only one.
    const needsAll = condition.kind !== 'or'
    return {
      row: { part, truePct: sharePct((i) => whole[i] === TRUTH.TRUE) },
      conditions: truths.map((truth, k) => ({
        part,
        text: nodeText(alternatives[k]!),
        truePct: sharePct((i) => truth[i] === TRUTH.TRUE),
        decidesPct: sharePct((i) =>
          truths.every((one, other) => (one[i] === TRUTH.TRUE) === (needsAll !== (other === k))),
        ),
        fired: closing[part]?.filter((i) => truth[i] === TRUTH.TRUE).length ?? null,
      })),
    }
  })
  return { parts: found.map(({ row }) => row), conditions: found.flatMap(({ conditions }) => conditions) }
}

/** Index of the candle at whose close the end of a trade was decided. */
const decidedIndex = ({ candles }: RuleColumns, { exitTime }: Pick<Trade, 'exitTime'>): number =>
  indexAtOrAfter(candles, exitTime) - 1

/** The conditions that closed a trade; undefined where something else did. */
function becauseOf(rule: Rule, columns: RuleColumns, trade: Pick<Trade, 'side' | 'exitReason' | 'exitTime'>) {
  const condition = trade.side === 'long' ? rule.exit : rule.cover
  if (condition === null || trade.exitReason !== 'signal') return undefined
  const at = decidedIndex(columns, trade)
  const held = alternativesOf(condition).filter((each) => columns.truth(each)[at] === TRUTH.TRUE)
  return held.map(nodeText).join(' and ')
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

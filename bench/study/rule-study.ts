import type { Timeframe } from '@shapecast/contracts/timeframes'
import { runBacktest } from '@shapecast/engine/backtest'
import { type Candles, indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import { metricsOf } from '@shapecast/engine/metrics'
import { createRandom } from '@shapecast/engine/random'
import { type PublishedRule, RULE_LIBRARY } from '@shapecast/engine/rules/library'
import { parseRule } from '@shapecast/engine/rules/parse'
import { type EntryVerdict, entryStudyOf, judgeEntries } from '@shapecast/engine/rules/random-entries'
import { createRuleColumns } from '@shapecast/engine/rules/rule-columns'
import { ruleDecisions } from '@shapecast/engine/rules/rule-decisions'
import { studySettings } from './policy-study.ts'

/** What a rule did with all the money on one stretch, costs included. Percent. */
export interface StudiedPublishedRule {
  readonly rule: PublishedRule
  readonly trades: number
  readonly totalReturnPct: number
  readonly buyAndHoldReturnPct: number
  /** 0 or above. */
  readonly maxDrawdownPct: number
  /** Share of the candles at whose close it held something. */
  readonly investedPct: number
  readonly verdict: EntryVerdict
}

/**
 * The library on the candles that open from `fromMs` to before `toMs`, with those before as warm-up: all the money in each
 * trade, fee 6 bps and slippage 5 bps on each fill, nothing sold at the end.
 */
export function studyLibrary(
  candles: Candles,
  timeframe: Timeframe,
  fromMs: number,
  toMs: number,
): StudiedPublishedRule[] {
  const known = sliceCandles(candles, 0, indexAtOrAfter(candles, toMs))
  const from = indexAtOrAfter(known, fromMs)
  const run = sliceCandles(known, from)
  const columns = createRuleColumns({ candles: known, timeframe, forecast: null })
  return RULE_LIBRARY.map((rule) => {
    const decisions = ruleDecisions(parseRule(rule.text), columns).slice(from)
    const settings = studySettings(timeframe)
    const result = runBacktest(run, decisions, settings)
    const { trades, totalReturnPct, buyAndHoldReturnPct, maxDrawdownPct } = metricsOf(result, run)
    const study = entryStudyOf(run, result.trades, settings)
    const held = [
      ...result.trades,
      ...(result.openPosition === null ? [] : [{ ...result.openPosition, exitTime: toMs }]),
    ]
    const heldMs = held.reduce((sum, { entryTime, exitTime }) => sum + exitTime - entryTime, 0)
    return {
      rule,
      trades,
      totalReturnPct,
      buyAndHoldReturnPct,
      maxDrawdownPct,
      investedPct: (100 * heldMs) / (toMs - run.ts[0]!),
      verdict: judgeEntries([study], createRandom(1)),
    }
  })
}

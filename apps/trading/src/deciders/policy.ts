import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { measuredCandles } from '@shapecast/engine/policies/measures'
import {
  closingDay,
  type TargetPlan,
  targetAt,
  targetColumn,
  widestVolatility,
} from '@shapecast/engine/policies/targets'
import type { PairAccount } from '@shapecast/engine/portfolio'
import type { Asked, Decider } from './decider.ts'
import { model } from './model.ts'

/** Whether the target of the day is decided before the close of the candle that opened at `ts`. */
function hasDecided(
  plan: TargetPlan,
  { decidedDay }: Pick<PairAccount, 'decidedDay'>,
  ts: number,
  timeframe: Timeframe,
): boolean {
  // Of a bot that has kept no day yet, that of the candle before.
  return closingDay(plan, ts + TIMEFRAME_MS[timeframe]) <= (decidedDay ?? closingDay(plan, ts))
}

const asks = (rule: Asked['rule'], target: number | null): Asked => ({ rule, signal: 'HOLD', pending: target, target })

const notMostTraded = (count: number): string => `It is not among the ${count} most traded of its pairs this month`

/** Holds a share of the equity, decided once a day. */
export const policy: Decider = {
  ...model,
  history: (_bot, { targets }, timeframe) => measuredCandles(timeframe, targets!.policy),
  isDue: ({ targets }, { pairs }, ts, timeframe) => pairs.some((pair) => !hasDecided(targets!, pair, ts, timeframe)),

  decide({ plan, timeframe, ts, pair, forecasts, silence, candles, i, universe }) {
    const targets = plan.targets!
    if (hasDecided(targets, pair, ts, timeframe)) return asks('not_decision_hour', null)
    const volatility = silence === null ? widestVolatility(forecasts.map((one) => one.volatility)) : Number.NaN
    const target = targetAt(targets, candles, i, timeframe, volatility)
    if (Number.isNaN(target)) return asks('no_votes', null)
    const isHeld = universe?.(pair.symbol, ts + TIMEFRAME_MS[timeframe]) ?? true
    return isHeld ? asks('target', target) : { ...asks('target', 0), says: notMostTraded(targets.pairs) }
  },

  columns({ plan, timeframe, candles, from, forecasts }) {
    const volatilities = forecasts.map(({ volatility }) => volatility)
    return {
      decisions: targetColumn(plan.targets!, candles, from, timeframe, volatilities),
      confidence: new Float64Array(candles.length - from).fill(Number.NaN),
    }
  },
}

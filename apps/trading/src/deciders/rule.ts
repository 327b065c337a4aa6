import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { asksForOrder, DECISION, signalOfDecision } from '@shapecast/engine/decisions'
import { loadedCandles } from '@shapecast/engine/rules/look-back'
import { createRuleColumns, type RuleForecast } from '@shapecast/engine/rules/rule-columns'
import { ruleDecisionAt, ruleDecisions } from '@shapecast/engine/rules/rule-decisions'
import type { DecidedClose, Decider, RunForecast } from './decider.ts'
import { model } from './model.ts'

/** Whether the time of what is held is over at the next open. */
function isOver({ plan, timeframe, ts, pair: { account } }: DecidedClose): boolean {
  const { timeExitCandles = Number.POSITIVE_INFINITY } = plan.settings
  const step = TIMEFRAME_MS[timeframe]
  return account.side !== 0 && ts + step - account.entryTime >= timeExitCandles * step
}

/** What a rule says at a close, for people. */
function saysOf(decision: number, close: DecidedClose): string {
  if (!asksForOrder(decision, close.pair.account.side) && isOver(close)) return 'Its time is over'
  if (decision === DECISION.BUY) return 'Its rule enters long'
  if (decision === DECISION.SELL) return 'Its rule enters short'
  if (decision !== DECISION.HOLD) return 'Its rule leaves'
  const silence = close.silence?.replace(/[.]$/, '')
  return `Its rule asks for nothing${silence === undefined ? '' : `; its model is silent (${silence})`}`
}

/** What a rule can look at. */
export type SaidColumns = Pick<RunForecast, 'pUp' | 'volatility' | 'edgeBps' | 'medians'>

/** What a model said at the candles of a run, as rules look at it: of `length` candles, those from index `from` on. */
export function ruleForecast(said: SaidColumns, length: number, from: number): RuleForecast {
  /** Unknown before the run, and wherever the model said nothing. */
  const all = (column: Float64Array) => {
    const whole = new Float64Array(length).fill(Number.NaN)
    for (const [k, value] of column.entries()) if (!Number.isNaN(said.pUp[k]!)) whole[from + k] = value
    return whole
  }
  return { pUp: all(said.pUp), sigma: all(said.volatility), edgeBps: all(said.edgeBps), medians: said.medians.map(all) }
}

/** Enters and leaves by the conditions that a bot's owner wrote. */
export const rule: Decider = {
  ...model,
  history: (_bot, plan) => loadedCandles(plan.rule!),

  decide(close) {
    const { plan, timeframe, candles, i, forecasts } = close
    const [said] = forecasts
    const { pUp, volatility: sigma, edgeBps, medians = [] } = said ?? {}
    const forecast = said === undefined ? null : { pUp: pUp ?? Number.NaN, sigma: sigma!, edgeBps: edgeBps!, medians }
    const decision = ruleDecisionAt(plan.rule!, { candles, timeframe }, i, forecast)
    const says = saysOf(decision, close)
    return { rule: 'rule', signal: signalOfDecision(decision), pending: decision, target: null, says }
  },

  columns({ plan, timeframe, candles, from, forecasts: [said] }) {
    const forecast = said === undefined ? null : ruleForecast(said, candles.length, from)
    const columns = createRuleColumns({ candles, timeframe, forecast })
    return {
      decisions: ruleDecisions(plan.rule!, columns).slice(from),
      confidence: new Float64Array(candles.length - from).fill(Number.NaN),
    }
  },
}

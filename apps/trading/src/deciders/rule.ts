import { DECISION, signalOfDecision } from '@shapecast/engine/decisions'
import { asksModels } from '@shapecast/engine/policies/plan'
import { loadedCandles } from '@shapecast/engine/rules/look-back'
import { createRuleColumns } from '@shapecast/engine/rules/rule-columns'
import { ruleDecisionAt, ruleDecisions } from '@shapecast/engine/rules/rule-decisions'
import type { Decider } from './decider.ts'
import { askedVersions, model } from './model.ts'

/** What a rule says at a close, for people. */
function saysOf(decision: number, silence: string | null): string {
  if (decision === DECISION.BUY) return 'Its rule enters long'
  if (decision === DECISION.SELL) return 'Its rule enters short'
  if (decision !== DECISION.HOLD) return 'Its rule leaves'
  return silence === null ? 'Its rule asks for nothing' : `Its rule asks for nothing; its model is silent (${silence})`
}

/** Enters and leaves by the conditions that a bot's owner wrote. */
export const rule: Decider = {
  ...model,
  versions: (plan) => (asksModels(plan) ? askedVersions(plan) : []),
  history: (_bot, plan) => loadedCandles(plan.rule!),

  decide({ plan, timeframe, candles, i, forecasts: [said], silence }) {
    const { pUp, volatility: sigma, edgeBps, medians = [] } = said ?? {}
    const forecast = said === undefined ? null : { pUp: pUp ?? Number.NaN, sigma: sigma!, edgeBps: edgeBps!, medians }
    const decision = ruleDecisionAt(plan.rule!, { candles, timeframe }, i, forecast)
    const says = saysOf(decision, silence?.replace(/[.]$/, '') ?? null)
    return { rule: 'rule', signal: signalOfDecision(decision), pending: decision, target: null, says }
  },

  columns({ plan, timeframe, candles, from, forecasts: [said] }) {
    /** Unknown before the run, and wherever the model said nothing. */
    const all = (column: Float64Array) => {
      const whole = new Float64Array(candles.length).fill(Number.NaN)
      for (const [k, value] of column.entries()) if (!Number.isNaN(said!.pUp[k]!)) whole[from + k] = value
      return whole
    }
    const forecast = said && {
      pUp: all(said.pUp),
      sigma: all(said.volatility),
      edgeBps: all(said.edgeBps),
      medians: said.medians.map(all),
    }
    const columns = createRuleColumns({ candles, timeframe, forecast: forecast ?? null })
    return {
      decisions: ruleDecisions(plan.rule!, columns).slice(from),
      confidence: new Float64Array(candles.length - from).fill(Number.NaN),
    }
  },
}

import { AppError } from '@shapecast/contracts/errors'
import { botRule } from '@shapecast/engine/rules/bot-rule'
import { loadedCandles } from '@shapecast/engine/rules/look-back'
import { createRuleColumns, type RuleData, TRUTH } from '@shapecast/engine/rules/rule-columns'
import type { Rule } from '@shapecast/engine/rules/tree'

/** Words that only a model answers; alerts on what it says are of another kind. */
const OF_MODELS = /\b(p_up|sigma|edge|median)\b/

/** A condition as a rule that enters by it. Throws `bad_input` in the words of the rule language. */
export function conditionRule(text: string): Rule {
  if (OF_MODELS.test(text))
    throw new AppError('bad_input', 'A condition must be about candles: for what a model says choose a signal.', {
      field: 'rule.condition',
    })
  if (text.includes(':'))
    throw new AppError('bad_input', 'A condition must stand alone, without ‘exit:’ or another section.', {
      field: 'rule.condition',
    })
  return botRule(`stop: 5% enter:\n${text}`, 'spot', 'rule.condition')
}

/** Candles that have to be loaded for it. */
export const candlesFor = (rule: Rule): number => loadedCandles(rule) + 1

/** 1 where it is true at the last candle, 0 where not; null while an indicator warms up. */
export function conditionAt(rule: Rule, data: Pick<RuleData, 'candles' | 'timeframe'>): number | null {
  const truth = createRuleColumns({ ...data, forecast: null })
    .truth(rule.enter!)
    .at(-1)
  return truth === undefined || truth === TRUTH.UNKNOWN ? null : Number(truth === TRUTH.TRUE)
}

import type { DirectionVerdict, NaiveRule } from '@shapecast/contracts/evaluation'

const RULES: Readonly<Record<NaiveRule, string>> = {
  reversal: 'betting on a reversal',
  majority: 'always betting one way',
}

/** A naive rule, as what somebody does who follows it. */
export const ruleWords = (rule: NaiveRule): string => RULES[rule]

/** The verdict on a direction after 'Direction:', in a trader's words, and short for a chip. */
export function directionWords({ code, rule }: DirectionVerdict): { words: string; chip: string } {
  switch (code) {
    case 'better':
      return { words: `better than ${ruleWords(rule)}`, chip: 'better than its baseline' }
    case 'worse':
      return { words: `worse than ${ruleWords(rule)}`, chip: 'worse than its baseline' }
    case 'no_better':
    case 'not_credible':
    case 'not_judged':
      return { words: `no better than ${ruleWords(rule)}`, chip: 'not better than its baseline' }
    default:
      return code satisfies never
  }
}

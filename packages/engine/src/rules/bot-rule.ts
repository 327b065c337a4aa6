import { AppError } from '@shapecast/contracts/errors'
import { parseRule } from './parse.ts'
import { RuleProblem } from './problem.ts'
import type { Rule } from './tree.ts'

const FIELD = 'parameters.rule'

/** A bot's rule. Throws `bad_input` that names the place, in its `data` too, and for shorts on spot. */
export function botRule(text: string | undefined, market: 'spot' | 'futures'): Rule {
  const rule = readText(text ?? '')
  if (rule.short !== null && market === 'spot')
    throw new AppError('bad_input', '‘short:’ needs futures: on spot nothing can be sold short.', { field: FIELD })
  return rule
}

function readText(text: string): Rule {
  try {
    return parseRule(text)
  } catch (error) {
    if (!(error instanceof RuleProblem)) throw error
    const { message, place, suggestion } = error
    throw new AppError('bad_input', message, { field: FIELD, data: { place, suggestion } })
  }
}

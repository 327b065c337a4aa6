import { AppError } from '@shapecast/contracts/errors'
import { parseRule } from './parse.ts'
import { RuleProblem } from './problem.ts'
import type { Rule } from './tree.ts'

/**
 * A rule that came as the text of a field, for a market. Throws `bad_input` that names the place, in its `data` too, and
 * for shorts on spot.
 */
export function botRule(text: string, market: 'spot' | 'futures', field: string): Rule {
  const rule = readText(text, field)
  if (rule.short !== null && market === 'spot')
    throw new AppError('bad_input', '‘short:’ needs futures: on spot nothing can be sold short.', { field })
  return rule
}

function readText(text: string, field: string): Rule {
  try {
    return parseRule(text)
  } catch (error) {
    if (!(error instanceof RuleProblem)) throw error
    const { message, place, suggestion } = error
    throw new AppError('bad_input', message, { field, data: { place, suggestion } })
  }
}

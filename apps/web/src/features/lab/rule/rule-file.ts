import { parseRule } from '@shapecast/engine/rules/parse'
import { ruleText } from '@shapecast/engine/rules/print'
import { RuleProblem } from '@shapecast/engine/rules/problem'
import { readRule } from '@shapecast/engine/rules/read-tree'

/** The text of a rule from a file, which holds it as text or as blocks in JSON; or why it is none. */
export function readRuleFile(content: string): { readonly text: string } | { readonly refusal: string } {
  const text = content.trim()
  try {
    if (!text.startsWith('{')) {
      parseRule(text)
      return { text }
    }
    return { text: ruleText(readRule(JSON.parse(text))) }
  } catch (error) {
    if (error instanceof RuleProblem) return { refusal: error.message }
    if (error instanceof SyntaxError) return { refusal: 'It begins like JSON and is none.' }
    throw error
  }
}

import { readFile } from 'node:fs/promises'
import { AppError } from '@shapecast/contracts/errors'
import { ruleText } from '@shapecast/engine/rules/print'
import { RuleProblem } from '@shapecast/engine/rules/problem'
import { readRule } from '@shapecast/engine/rules/read-tree'

/** The text of a rule that a file has, as text or as blocks in JSON; what is no file is the text itself. */
export async function ruleFrom(given: string): Promise<string> {
  const text = /^\s*(enter|exit|short|cover|stop|target|trail|time)\s*:/.test(given)
    ? given
    : await readFile(given, 'utf8')
  return text.trimStart().startsWith('{') ? textOfBlocks(text) : text
}

function textOfBlocks(json: string): string {
  try {
    return ruleText(readRule(JSON.parse(json)))
  } catch (error) {
    if (error instanceof RuleProblem || error instanceof SyntaxError) throw new AppError('bad_input', error.message)
    throw error
  }
}

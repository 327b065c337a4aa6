import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { originWords, type RuleOrigin } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { RuleWithVersions } from '@shapecast/contracts/stored-rules'
import { ruleText } from '@shapecast/engine/rules/print'
import { RuleProblem } from '@shapecast/engine/rules/problem'
import { readRule } from '@shapecast/engine/rules/read-tree'
import { markedText, ruleNumbers } from '@shapecast/engine/rules/rule-numbers'
import type { RuleService } from '@shapecast/trading/rules/rule-service'

/** Anyone who has the machine may see everything. */
export const MACHINE = { userId: '00000000-0000-0000-0000-000000000000', role: 'admin' } as const
const MOST_RULES = 10_000

const isText = (given: string) => /^\s*(enter|exit|short|cover|stop|target|trail|time)\s*:/.test(given)

/** The text of a rule that a file has, as text or as blocks in JSON; what is no file is the text itself. */
export async function ruleFrom(given: string): Promise<string> {
  const text = isText(given) ? given : await readFile(given, 'utf8')
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

/** A stored rule by its name or id, at a version: `Cross`, `Cross@3`. Throws `not_found`, `conflict` where several are meant. */
export async function storedRule(rules: RuleService, given: string): Promise<RuleWithVersions> {
  const [, name = '', version] = /^(.*?)(?:@(\d+))?$/s.exec(given)!
  const same = (await rules.list(MACHINE, { limit: MOST_RULES })).filter((one) => one.name === name || one.id === name)
  const [one] = same
  if (one === undefined)
    throw new AppError('not_found', `No file and no stored rule is called ${name}: shapecast rules list names them.`)
  if (same.length > 1)
    throw new AppError(
      'conflict',
      `${same.length} rules are called ${name}. Give the id: ${same.map(({ id }) => id).join(', ')}.`,
    )
  const rule = await rules.read(one.id, MACHINE)
  const found = version === undefined ? rule : rule.versions.find((of) => of.version === Number(version))
  if (found === undefined) throw new AppError('not_found', `${rule.name} has no version ${version}.`)
  return { ...rule, version: found.version, text: found.text }
}

/**
 * The rule of a text, a file or a stored rule's name, and the stored rule that it came from. In a stored rule the `varied`
 * numbers (`ema_20`) are marked.
 */
export async function ruleNamed(
  rules: RuleService,
  given: string,
  varied: readonly { readonly name: string }[] = [],
): Promise<{ rule: string; ruleOrigin?: RuleOrigin }> {
  if (isText(given) || existsSync(given)) return { rule: await ruleFrom(given) }
  const { id, name, version, text } = await storedRule(rules, given)
  const numbers = ruleNumbers(text).filter((number) => varied.some((one) => one.name === number.name))
  return { rule: markedText(text, numbers), ruleOrigin: { id, version, name } }
}

/** A line with the stored rule's name; empty without one. */
export const originLines = (origin: RuleOrigin | undefined): string[] =>
  origin === undefined ? [] : [`${originWords(origin)}.`]

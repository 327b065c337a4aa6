import { parseRule } from '@shapecast/engine/rules/parse'
import { ruleText } from '@shapecast/engine/rules/print'
import type { Command } from 'commander'
import { printAs } from './output.ts'
import { ruleFrom } from './rule-file.ts'

export const addRule = (command: Command): void => {
  command
    .argument('<file>', 'a file with a rule, as text or as blocks in JSON, or the text itself')
    .option('--json', 'print its blocks as JSON')
    .action(async (file: string, options: { json?: true }) => {
      const rule = parseRule(await ruleFrom(file))
      printAs(options.json, rule, () => ruleText(rule))
    })
}

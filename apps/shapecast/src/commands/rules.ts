import type { Orm } from '@shapecast/platform/database/database'
import { createRuleService, type RuleService } from '@shapecast/trading/rules/rule-service'
import type { Command } from 'commander'
import { memberOf, withStored } from './open.ts'
import { dateOf, note, print, printAs, table } from './output.ts'
import { MACHINE, ruleFrom, storedRule } from './rule-file.ts'

const MOST_LISTED = 10_000

const withRules = <T>(work: (rules: RuleService, orm: Orm) => Promise<T>) =>
  withStored(({ db }) => work(createRuleService({ db, now: Date.now }), db.orm))

export const addRules = (command: Command): void => {
  command
    .command('list')
    .description('every stored rule: name, newest version, who sees it, when it was saved, id')
    .option('--json', 'print them as JSON, with their texts')
    .action(async (options: { json?: true }) => {
      const found = await withRules((rules) => rules.list(MACHINE, { limit: MOST_LISTED }))
      const rows = found.map((one) => [one.name, String(one.version), one.visibility, dateOf(one.savedAt), one.id])
      printAs(options.json, found, () => table([['name', 'version', 'seen by', 'saved', 'id'], ...rows], 'words'))
    })

  command
    .command('show')
    .description('the text of a stored rule, to be read or written to a file')
    .argument('<rule>', 'its name or id; NAME@2 is its version 2, else the newest')
    .option('--json', 'print it with all versions as JSON')
    .action(async (named: string, options: { json?: true }) => {
      const { text, versions, ...rule } = await withRules((rules) => storedRule(rules, named))
      if (options.json) return print(JSON.stringify({ ...rule, text, versions }, null, 2))
      note(`${rule.name}, version ${rule.version} of ${versions.length}`)
      print(text)
    })

  command
    .command('save')
    .description("store a rule under a name of its owner's, as the next version where there is one")
    .argument('<file>', 'a file with a rule, as text or as blocks in JSON, or the text itself')
    .requiredOption('--name <name>', 'what it is called')
    .requiredOption('--owner <email>', 'whose it is')
    .option('--public', 'let everybody see a new one')
    .action(async (file: string, options: { name: string; owner: string; public?: true }) => {
      const text = await ruleFrom(file)
      const saved = await withRules(async (rules, orm) => {
        const member = await memberOf(orm, options.owner)
        const known = (await rules.list(member, { limit: MOST_LISTED })).find(
          ({ userId, name }) => userId === member.userId && name === options.name,
        )
        if (known !== undefined) return rules.save(known.id, { text, after: known.version }, member)
        return rules.create({ name: options.name, text, visibility: options.public ? 'public' : 'private' }, member)
      })
      print(`${saved.name}, version ${saved.version}`)
    })
}

import { originWords, type RuleOrigin } from '@shapecast/contracts/bots'
import type { BodyOf, QueryOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import type {
  changeRule,
  createRule,
  RuleWithVersions,
  StoredRule,
  saveRule,
  storedRules,
} from '@shapecast/contracts/stored-rules'
import { botRule } from '@shapecast/engine/rules/bot-rule'
import { ruleText } from '@shapecast/engine/rules/print'
import { withoutNumbers } from '@shapecast/engine/rules/rule-numbers'
import { recordAudit } from '@shapecast/platform/audit'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import type { Member } from '@shapecast/platform/sessions'
import { mayChange, maySee, plainName, type Viewer } from '../ground/ownership.ts'
import * as store from './rule-store.ts'
import type { RuleRow } from './tables.ts'

const MOST_RULES_OF_A_USER = 200
const MOST_VERSIONS = 100

const unseen = () => new AppError('not_found', 'This rule does not exist, or its owner keeps it private.')

/** The same rule is the same text, however it was typed. */
const canonical = (text: string, field: string): string => ruleText(botRule(text, 'futures', field))

async function readRule(orm: Orm, id: string, viewer: Viewer): Promise<RuleWithVersions> {
  const row = await store.findRule(orm, id)
  if (row === undefined || !maySee(row, viewer)) throw unseen()
  return { ...row, versions: await store.versionsOf(orm, id) }
}

/**
 * The origin of a text with the name that its rule has now. Throws `not_found` for a rule or version that the viewer does
 * not see, `bad_input` where the text is another; with `anyNumbers` only its numbers may differ.
 */
export async function nameOrigin(
  orm: Orm,
  { id, version }: RuleOrigin,
  { text, field, anyNumbers = false }: { text: string | undefined; field: string; anyNumbers?: boolean },
  viewer: Viewer,
): Promise<Required<RuleOrigin>> {
  const { name, versions } = await readRule(orm, id, viewer)
  const found = versions.find((one) => one.version === version)
  if (found === undefined) throw new AppError('not_found', `${name} has no version ${version}.`, { field })
  const origin = { id, version, name }
  const plain = (rule: string) => (anyNumbers ? withoutNumbers(canonical(rule, field)) : canonical(rule, field))
  if (text === undefined || plain(text) !== plain(found.text))
    throw new AppError(
      'bad_input',
      `This is not the text of ${originWords(origin)}. Save it first, or name no origin.`,
      {
        field,
      },
    )
  return origin
}

/** Rules that users keep: who may see and change them is decided here. */
export function createRuleService({ db, now }: { db: Database; now(): number }) {
  const read = (id: string, viewer: Viewer): Promise<RuleWithVersions> => readRule(db.orm, id, viewer)

  const requireFreeName = async (tx: Orm, userId: string, name: string, id: string | null): Promise<void> => {
    const taken = (await store.otherNamesOf(tx, userId, id)).find((other) => plainName(other) === plainName(name))
    if (taken !== undefined)
      throw new AppError('conflict', `There is a rule named ${taken}. The name must be another.`, { field: 'name' })
  }

  /** One change of a rule under its lock, by its owner or an admin; `work` answers what the audit says of it. */
  const changing = (
    id: string,
    member: Member,
    action: `rule.${string}`,
    work: (tx: Orm, row: RuleRow) => Promise<{ before?: object; after?: object } | null>,
  ): Promise<void> =>
    db.orm.transaction(async (tx) => {
      const row = await store.lockRule(tx, id)
      if (row === undefined || !maySee(row, member)) throw unseen()
      if (!mayChange(row, member)) throw new AppError('forbidden', 'Only its owner or an admin may change this rule.')
      const said = await work(tx, row)
      if (said !== null) await recordAudit(tx, member, { action, subject: { type: 'rule', id }, ...said })
    })

  return {
    read,

    list: async (viewer: Viewer, filter: QueryOf<typeof storedRules>): Promise<StoredRule[]> =>
      store.listRules(db.orm, viewer, filter),

    /** Throws `bad_input` for a text that is no rule, `conflict` for a name that another has, `unprocessable` past 200. */
    async create({ name, text, visibility }: BodyOf<typeof createRule>, member: Member): Promise<RuleWithVersions> {
      botRule(text, 'futures', 'text')
      const { userId } = member
      const { id } = await db.orm.transaction(async (tx) => {
        await lockUntilCommit(tx, `rules of ${userId}`)
        if ((await store.countOf(tx, userId)) >= MOST_RULES_OF_A_USER)
          throw new AppError('unprocessable', `You have ${MOST_RULES_OF_A_USER} rules. Delete one first.`)
        await requireFreeName(tx, userId, name, null)
        const row = await store.insertRule(tx, { userId, name, visibility, text, savedAt: now() })
        const subject = { type: 'rule', id: row.id }
        await recordAudit(tx, member, { action: 'rule.created', subject, after: { name, visibility } })
        return row
      })
      return read(id, member)
    },

    /**
     * Saves the next version after the newest that its writer has seen. Throws `conflict` where another was saved since:
     * that one stays, and the writer keeps what they typed.
     */
    async save(id: string, { text, after }: BodyOf<typeof saveRule>, member: Member): Promise<RuleWithVersions> {
      botRule(text, 'futures', 'text')
      await changing(id, member, 'rule.saved', async (tx, { name, version, text: newest }) => {
        if (text === newest) return null
        if (after !== version)
          throw new AppError(
            'conflict',
            `Version ${version} was saved meanwhile, and you began from version ${after}. Look at what changed, then save again.`,
            { data: { version } },
          )
        if (version >= MOST_VERSIONS)
          throw new AppError('unprocessable', `A rule has at most ${MOST_VERSIONS} versions. Save it as another rule.`)
        await store.insertVersion(tx, id, text, now())
        return { before: { name, version }, after: { name, version: version + 1 } }
      })
      return read(id, member)
    },

    /** Throws `conflict` for a name that another rule of its owner has. */
    async change(id: string, changes: BodyOf<typeof changeRule>, member: Member): Promise<RuleWithVersions> {
      await changing(id, member, 'rule.changed', async (tx, { userId, name, visibility }) => {
        const before = { name, visibility }
        const after = { name: changes.name ?? name, visibility: changes.visibility ?? visibility }
        if (after.name !== name) {
          await lockUntilCommit(tx, `rules of ${userId}`)
          await requireFreeName(tx, userId, after.name, id)
        }
        await store.updateRule(tx, id, after)
        return { before, after }
      })
      return read(id, member)
    },

    async delete(id: string, member: Member): Promise<void> {
      await changing(id, member, 'rule.deleted', async (tx, { name, version, visibility }) => {
        await store.deleteRule(tx, id)
        return { before: { name, version, visibility } }
      })
    },
  }
}
export type RuleService = ReturnType<typeof createRuleService>

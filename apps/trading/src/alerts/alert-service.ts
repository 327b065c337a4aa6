import type { Alert, AlertRule, changeAlert } from '@shapecast/contracts/alerts'
import type { BodyOf } from '@shapecast/contracts/endpoint'
import { AppError } from '@shapecast/contracts/errors'
import type { Database } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import { conditionRule } from './alert-condition.ts'
import { kindOf } from './alert-kinds.ts'
import { type AlertRow, alerts } from './tables.ts'

const MOST_ALERTS_OF_A_USER = 100
/** A deleted one can be restored for so long. */
export const RESTORED_FOR_MS = 86_400_000

export interface AlertServiceDeps {
  db: Database
  venue: string
  /** Throws `unknown_symbol`. */
  requireSymbol(symbol: string): Promise<void>
  /** Whose a bot is, and its name; undefined for none. */
  findBot(id: string): Promise<{ userId: string; name: string } | undefined>
  now(): number
}

type AlertDraft = Pick<Alert, 'rule' | 'note' | 'restMinutes'>

const missing = () => new AppError('not_found', 'There is no such alert, or it is deleted.')

/** What people do with their alerts. They see and change their own alone. */
export function createAlertService({ db, venue, requireSymbol, findBot, now }: AlertServiceDeps) {
  const { orm } = db
  const own = ({ userId }: Member) => and(eq(alerts.userId, userId), eq(alerts.venue, venue))
  /** Their alerts that are not deleted, or one of them. */
  const of = (member: Member, id?: string) =>
    and(own(member), isNull(alerts.deletedAtMs), id === undefined ? undefined : eq(alerts.id, id))

  /** Throws where a rule could never ring, or is about somebody else's bot. */
  async function check(rule: AlertRule, { userId }: Member): Promise<void> {
    if ('symbol' in rule) await requireSymbol(rule.symbol)
    if (rule.kind === 'indicator') conditionRule(rule.condition)
    if ('botId' in rule && (await findBot(rule.botId))?.userId !== userId)
      throw new AppError('not_found', 'You have no such bot.', { field: 'rule.botId' })
  }

  async function shown({ id, rule, note, restMinutes, isOn, rangAt, timesRung, createdAt }: AlertRow): Promise<Alert> {
    const bot = 'botId' in rule ? await findBot(rule.botId) : undefined
    const about = kindOf(rule).about(rule, bot?.name ?? 'A deleted bot')
    return { id, rule, about, note, restMinutes, isOn, rangAt, timesRung, createdAt }
  }

  return {
    async list(member: Member): Promise<Alert[]> {
      const rows = await orm.select().from(alerts).where(of(member)).orderBy(desc(alerts.id))
      return Promise.all(rows.map(shown))
    },

    /** Throws `unprocessable` past 100. */
    async create(member: Member, draft: AlertDraft): Promise<Alert> {
      await check(draft.rule, member)
      if ((await orm.$count(alerts, of(member))) >= MOST_ALERTS_OF_A_USER)
        throw new AppError('unprocessable', `You have ${MOST_ALERTS_OF_A_USER} alerts. Delete one first.`)
      const { rule, note, restMinutes } = draft
      const values = { userId: member.userId, venue, rule, note, restMinutes, isOn: true, createdAt: now() }
      const [row] = await orm.insert(alerts).values(values).returning()
      return shown(row!)
    },

    /** What is watched begins again: an alert that is changed does not ring for where the value lay before. */
    async change(
      member: Member,
      id: string,
      { rule, note, restMinutes, isOn }: BodyOf<typeof changeAlert>,
    ): Promise<Alert> {
      if (rule !== undefined) await check(rule, member)
      const restarts = rule !== undefined || isOn !== undefined
      const [row] = await orm
        .update(alerts)
        .set({
          rule,
          note,
          restMinutes,
          isOn,
          ...(restarts && { lastValue: null, lookedTs: null }),
          id,
        })
        .where(of(member, id))
        .returning()
      if (row === undefined) throw missing()
      return shown(row)
    },

    async delete(member: Member, id: string): Promise<void> {
      const deleted = await orm
        .update(alerts)
        .set({ deletedAtMs: now() })
        .where(of(member, id))
        .returning({ id: alerts.id })
      if (deleted.length === 0) throw missing()
    },

    async restore(member: Member, id: string): Promise<Alert> {
      const since = gt(alerts.deletedAtMs, now() - RESTORED_FOR_MS)
      const [row] = await orm
        .update(alerts)
        .set({ deletedAtMs: null, lastValue: null, lookedTs: null })
        .where(and(own(member), eq(alerts.id, id), since))
        .returning()
      if (row === undefined) throw missing()
      return shown(row)
    },
  }
}
export type AlertService = ReturnType<typeof createAlertService>

import type { QueryOf } from '@shapecast/contracts/endpoint'
import type { AuditFilter, AuditRecord, auditLog } from '@shapecast/contracts/users'
import type { Orm } from '@shapecast/platform/database/database'
import { type CsvColumns, csvFile, isoTime } from '@shapecast/platform/http/csv-file'
import { audit } from '@shapecast/platform/tables'
import { and, count, desc, eq, gte, ilike, inArray, isNotNull, like, lt, lte, or, sql } from 'drizzle-orm'
import { literally } from './user-list.ts'
import { userNames } from './user-names.ts'

type AuditPage = Pick<QueryOf<typeof auditLog>, 'before' | 'limit'>

const when = <T>(value: T | undefined, condition: (value: T) => ReturnType<typeof and>) =>
  value === undefined ? undefined : condition(value)

/** What an entry calls its subject: entries that make, change or delete a bot or a task say so. */
const NAME = sql<
  string | null
>`coalesce(${audit.after} ->> 'name', ${audit.after} ->> 'title', ${audit.before} ->> 'name', ${audit.before} ->> 'title')`
/** The kinds of subject that the audit itself names. */
const NAMED = ['bot', 'task', 'rule']

/** Entries about something whose name or id holds a text. */
function isAbout(orm: Orm, text: string) {
  const pattern = `%${literally(text)}%`
  const named = orm
    .select({ id: audit.subjectId })
    .from(audit)
    .where(and(inArray(audit.subjectType, NAMED), ilike(NAME, pattern)))
  const users = orm
    .select({ id: sql<string>`${userNames.id}::text` })
    .from(userNames)
    .where(ilike(userNames.username, pattern))
  return or(ilike(audit.subjectId, pattern), inArray(audit.subjectId, named), inArray(audit.subjectId, users))
}

/** What the filters fit. An action that ends with a point is the beginning of some. */
const fits = (orm: Orm, filter: AuditFilter) =>
  and(
    when(filter.actor, (id) => eq(audit.actorId, id)),
    when(filter.action, (action) =>
      action.endsWith('.') ? like(audit.action, `${literally(action)}%`) : eq(audit.action, action),
    ),
    when(filter.subjectType, (type) => eq(audit.subjectType, type)),
    when(filter.subject, (id) => eq(audit.subjectId, id)),
    when(filter.about, (text) => isAbout(orm, text)),
    when(filter.from, (ms) => gte(audit.at, new Date(ms))),
    when(filter.to, (ms) => lte(audit.at, new Date(ms))),
  )

/** Entries, the newest first. */
async function readEntries(orm: Orm, filter: AuditFilter, { before, limit }: AuditPage): Promise<AuditRecord[]> {
  const rows = await orm
    .select({ entry: audit, username: userNames.username })
    .from(audit)
    .leftJoin(userNames, eq(userNames.id, audit.actorId))
    .where(
      and(
        fits(orm, filter),
        when(before, (id) => lt(audit.id, id)),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(limit)
  const names = await namesOf(
    orm,
    rows.map(({ entry }) => entry),
  )
  return rows.map(({ entry, username }) => shown(entry, username, names.get(keyOf(entry)) ?? null))
}

/** A page of the audit with the number of all entries that the filters fit. */
export async function readAudit(orm: Orm, { before, limit, ...filter }: AuditFilter & AuditPage) {
  const [found, counted] = await Promise.all([
    readEntries(orm, filter, { before, limit: limit + 1 }),
    orm.select({ total: count() }).from(audit).where(fits(orm, filter)),
  ])
  return { entries: found.slice(0, limit), hasMore: found.length > limit, total: counted[0]!.total }
}

const IN_A_PART = 500
const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
const COLUMNS: CsvColumns<AuditRecord> = {
  time: ({ at }) => isoTime(at),
  who: ({ actor }) => actor && (actor.username ?? actor.id),
  address: ({ address }) => address,
  action: ({ action }) => action,
  subject_type: ({ subject }) => subject.type,
  subject_id: ({ subject }) => subject.id,
  subject_name: ({ subject }) => subject.name,
  before: ({ before }) => json(before),
  after: ({ after }) => json(after),
}

/** All that the filters fit as CSV, read in parts; who is empty for the system, and an id where the account was deleted. */
export const auditCsv = (orm: Orm, filter: AuditFilter) =>
  csvFile('audit.csv', COLUMNS, (after) => readEntries(orm, filter, { before: after?.id, limit: IN_A_PART }))

type Subject = Pick<typeof audit.$inferSelect, 'subjectType' | 'subjectId'>
const keyOf = ({ subjectType, subjectId }: Subject): string => `${subjectType} ${subjectId}`

/** The newest name of each subject, by kind and id. */
async function namesOf(orm: Orm, subjects: readonly Subject[]): Promise<Map<string, string>> {
  const idsOf = (types: readonly string[]) => [
    ...new Set(subjects.flatMap(({ subjectType, subjectId }) => (types.includes(subjectType) ? [subjectId] : []))),
  ]
  const [userIds, ids] = [idsOf(['user']), idsOf(NAMED)]
  const users =
    userIds.length === 0
      ? []
      : await orm
          .select()
          .from(userNames)
          .where(inArray(sql`${userNames.id}::text`, userIds))
  const named =
    ids.length === 0
      ? []
      : await orm
          .select({ subjectType: audit.subjectType, subjectId: audit.subjectId, name: NAME })
          .from(audit)
          .where(and(inArray(audit.subjectType, NAMED), inArray(audit.subjectId, ids), isNotNull(NAME)))
          .orderBy(audit.id)
  // Of several names of one thing the last is its newest.
  return new Map([
    ...users.map(({ id, username }): [string, string] => [`user ${id}`, username]),
    ...named.map(({ name, ...subject }): [string, string] => [keyOf(subject), name ?? '']),
  ])
}

const shown = (entry: typeof audit.$inferSelect, username: string | null, name: string | null): AuditRecord => ({
  id: entry.id,
  at: entry.at.getTime(),
  actor: entry.actorId === null ? null : { id: entry.actorId, username },
  address: entry.address,
  action: entry.action,
  subject: { type: entry.subjectType, id: entry.subjectId, name },
  before: entry.before,
  after: entry.after,
})

import type { AuditRecord } from '@shapecast/contracts/users'
import type { Orm } from '@shapecast/platform/database/database'
import { audit } from '@shapecast/platform/tables'
import { and, desc, eq, gte, like, lt, lte } from 'drizzle-orm'
import { userNames } from './user-names.ts'

export interface AuditFilter {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly subjectType?: string | undefined
  readonly subject?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly before?: string | undefined
  readonly limit: number
}

const when = <T>(value: T | undefined, condition: (value: T) => ReturnType<typeof and>) =>
  value === undefined ? undefined : condition(value)

/** A page of the audit, the newest first. An action that ends with a point is the beginning of some. */
export async function readAudit(orm: Orm, filter: AuditFilter): Promise<{ entries: AuditRecord[]; hasMore: boolean }> {
  const rows = await orm
    .select({ entry: audit, username: userNames.username })
    .from(audit)
    .leftJoin(userNames, eq(userNames.id, audit.actorId))
    .where(
      and(
        when(filter.actor, (id) => eq(audit.actorId, id)),
        when(filter.action, (action) =>
          action.endsWith('.') ? like(audit.action, `${action.replace(/[\\%_]/g, '\\$&')}%`) : eq(audit.action, action),
        ),
        when(filter.subjectType, (type) => eq(audit.subjectType, type)),
        when(filter.subject, (id) => eq(audit.subjectId, id)),
        when(filter.from, (ms) => gte(audit.at, new Date(ms))),
        when(filter.to, (ms) => lte(audit.at, new Date(ms))),
        when(filter.before, (id) => lt(audit.id, id)),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(filter.limit + 1)
  return { entries: rows.slice(0, filter.limit).map(shown), hasMore: rows.length > filter.limit }
}

const shown = ({ entry, username }: { entry: typeof audit.$inferSelect; username: string | null }): AuditRecord => ({
  id: entry.id,
  at: entry.at.getTime(),
  actor: entry.actorId === null ? null : { id: entry.actorId, username },
  address: entry.address,
  action: entry.action,
  subject: { type: entry.subjectType, id: entry.subjectId },
  before: entry.before,
  after: entry.after,
})

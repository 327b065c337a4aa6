import type { Orm } from './database/database.ts'
import { audit } from './tables.ts'

export interface AuditEntry {
  /** The user who did it; null for the system itself. */
  readonly actorId: string | null
  /** Where the request came from; null for the system itself. */
  readonly address: string | null
  /** What was done, as subject.verb: `bot.created`, `user.role_changed`. */
  readonly action: string
  readonly subject: { readonly type: string; readonly id: string }
  /** What changed, without secrets. Left out where there was nothing before or is nothing after. */
  readonly before?: unknown
  readonly after?: unknown
}

/**
 * Writes one state change down for good; the table refuses changes. Give the transaction that makes the change, so
 * that either both are there or neither.
 */
export async function recordAudit(orm: Orm, entry: AuditEntry): Promise<void> {
  await orm.insert(audit).values({
    actorId: entry.actorId,
    address: entry.address,
    action: entry.action,
    subjectType: entry.subject.type,
    subjectId: entry.subject.id,
    before: entry.before ?? null,
    after: entry.after ?? null,
  })
}

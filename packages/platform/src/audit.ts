import type { Orm } from './database/database.ts'
import { audit } from './tables.ts'

/** Who does something, and from where: the caller of a request is one. */
export interface Doer {
  /** Null for the system itself, and for somebody who is not signed in. */
  readonly userId: string | null
  /** The network address that the request came from; null where no request asked for it. */
  readonly address: string | null
}

/** No request asked for it: regular work, or somebody at the machine itself. */
export const SYSTEM: Doer = { userId: null, address: null }

export interface AuditEntry {
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
export async function recordAudit(orm: Orm, doer: Doer, entry: AuditEntry): Promise<void> {
  await orm.insert(audit).values({
    actorId: doer.userId,
    address: doer.address,
    action: entry.action,
    subjectType: entry.subject.type,
    subjectId: entry.subject.id,
    before: entry.before ?? null,
    after: entry.after ?? null,
  })
}

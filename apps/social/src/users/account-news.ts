import { type AuditEntry, type Doer, recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import { notify } from '@shapecast/platform/notify'

/** Writes down what was done with an account. */
export const auditUser = (
  orm: Orm,
  doer: Doer,
  action: string,
  id: string,
  change: Pick<AuditEntry, 'before' | 'after'> = {},
): Promise<void> => recordAudit(orm, doer, { action, subject: { type: 'user', id }, ...change })

/** Tells the owner of an account what touches its security. */
export const tellOwner = (
  tx: Orm,
  userId: string,
  news: { title: string; text: string; link?: string },
  nowMs: number,
): Promise<void> => notify(tx, userId, { kind: 'security', link: '/settings/security', ...news }, nowMs)

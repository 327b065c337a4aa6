import type { ActivityType } from '@shapecast/contracts/activities'
import type { Orm } from './database/database.ts'
import { activities } from './tables.ts'

export interface ActivityEntry {
  readonly type: ActivityType
  /** What was done, as subject.verb: `task.moved`, `bot.created`. */
  readonly action: string
  /** The user who did it; null for the system and for bots. */
  readonly actorId: string | null
  readonly subject: { readonly id: string; readonly name: string }
  /** A few words beyond the action. Everybody who may see the subject reads them: no amounts, orders or addresses. */
  readonly detail?: string
  /** Whose the subject is: where it is not public, only this user and admins see it. Left out: every signed-in user does. */
  readonly owner?: { readonly userId: string; readonly isPublic: boolean }
}

/**
 * Writes down what the activity feed shows, in one statement. Give the transaction that makes the change. What a bot does,
 * and its backtests, follow the bot where it becomes public or private later. `marketAtMs` is the clock of a replay.
 */
export async function recordActivities(
  orm: Orm,
  entries: readonly ActivityEntry[],
  marketAtMs: number | null = null,
): Promise<void> {
  if (entries.length === 0) return
  await orm.insert(activities).values(
    entries.map(({ type, action, actorId, owner, subject, detail }) => ({
      type,
      action,
      actorId,
      ownerId: owner?.userId ?? null,
      isPublic: owner?.isPublic ?? true,
      subjectId: subject.id,
      subjectName: subject.name,
      detail: detail ?? null,
      marketAtMs,
    })),
  )
}

export const recordActivity = (orm: Orm, entry: ActivityEntry, marketAtMs: number | null = null): Promise<void> =>
  recordActivities(orm, [entry], marketAtMs)

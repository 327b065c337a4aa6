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
  /** Set where the subject is private: only this user and admins see it. Left out: every signed-in user does. */
  readonly privateTo?: string
}

/**
 * Writes down what the activity feed shows. Give the transaction that makes the change. What a bot does follows the bot
 * where it becomes public or private later.
 */
export async function recordActivity(orm: Orm, entry: ActivityEntry): Promise<void> {
  await orm.insert(activities).values({
    type: entry.type,
    action: entry.action,
    actorId: entry.actorId,
    ownerId: entry.privateTo ?? null,
    isPublic: entry.privateTo === undefined,
    subjectId: entry.subject.id,
    subjectName: entry.subject.name,
    detail: entry.detail ?? null,
  })
}

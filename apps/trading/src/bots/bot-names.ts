import { AppError } from '@shapecast/contracts/errors'
import type { Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { plainName } from '../ground/ownership.ts'
import type { BotStore } from './bot-store.ts'

/** Holds the bots of a user until the transaction ends: nobody else adds or renames one. */
export const holdBotsOf = (tx: Orm, userId: string): Promise<void> => lockUntilCommit(tx, `bots of ${userId}`)

/** Throws `conflict` where a user has another bot of this name; a new one has no id yet. Only after `holdBotsOf`. */
export async function requireFreeName(
  tx: Orm,
  bots: Pick<BotStore, 'namesOf'>,
  { id, userId, name }: { id?: string; userId: string; name: string },
): Promise<void> {
  const others = await bots.namesOf(userId, tx)
  const taken = others.find((other) => other.id !== id && plainName(other.name) === plainName(name))
  if (taken !== undefined)
    throw new AppError('conflict', `You have a bot named ${taken.name}. The name must be another.`, { field: 'name' })
}

import { AppError } from '@shapecast/contracts/errors'
import { type Asker, mayChange, maySee, type Owned } from '../ground/ownership.ts'

export const unseen = () => new AppError('not_found', 'This bot does not exist, or its owner keeps it private.')

/** Throws `not_found` to those who may not see the bot, `forbidden` to those who may only see it. */
export function requireChange<B extends Owned>(bot: B | undefined, member: Asker): asserts bot is B {
  if (bot === undefined || !maySee(bot, member)) throw unseen()
  if (!mayChange(bot, member)) throw new AppError('forbidden', 'Only its owner or an admin may change this bot.')
}

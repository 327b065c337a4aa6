import type { Bot } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { Caller } from '@shapecast/platform/sessions'

export type Asker = Pick<Caller, 'userId' | 'role'>
/** Who asks; null is nobody signed in. */
export type Viewer = Asker | null

type Owned = Pick<Bot, 'userId' | 'visibility'>

export const unseen = () => new AppError('not_found', 'This bot does not exist, or its owner keeps it private.')
export const mayChange = (bot: Owned, member: Asker) => bot.userId === member.userId || member.role === 'admin'
export const maySee = (bot: Owned, viewer: Viewer) =>
  bot.visibility === 'public' || (viewer !== null && mayChange(bot, viewer))

/** Throws `not_found` to those who may not see the bot, `forbidden` to those who may only see it. */
export function requireChange<B extends Owned>(bot: B | undefined, member: Asker): asserts bot is B {
  if (bot === undefined || !maySee(bot, member)) throw unseen()
  if (!mayChange(bot, member)) throw new AppError('forbidden', 'Only its owner or an admin may change this bot.')
}

import type { Bot } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { Orm } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import type { BotAbilityDeps } from './bot-ability.ts'
import { requireChange, unseen } from './bot-rights.ts'
import type { BotChanges } from './bot-store.ts'
import type { BotTrading } from './bot-trading.ts'
import type { BotsContext } from './bots-context.ts'
import type { ExchangeEntry } from './exchange-entry.ts'
import type { PlanRebalance } from './rebalancing.ts'
import type { BotRow } from './tables.ts'

export interface BotControlDeps
  extends BotAbilityDeps,
    Pick<BotsContext, 'db' | 'bots' | 'equity' | 'replies' | 'fetchHistory' | 'replayNow' | 'now'>,
    Pick<BotsContext, 'unknownVersions' | 'predicting'> {
  real: ExchangeEntry
  trading: BotTrading
  planRebalance: PlanRebalance
}

/** Works on a bot under its lock; answers the bot as it is then. */
export async function locked(
  { db, bots, equity }: BotControlDeps,
  id: string,
  member: Member,
  work: (tx: Orm, bot: BotRow) => Promise<void>,
): Promise<Bot> {
  await db.orm.transaction(async (tx) => {
    const bot = await bots.lock(tx, id)
    requireChange(bot, member)
    await work(tx, bot)
  })
  const changed = await bots.find(id)
  if (changed === undefined) throw unseen()
  return (await equity.shown([changed]))[0]!
}

export const valuesOf = (bot: BotRow, changes: BotChanges): Partial<BotRow> =>
  Object.fromEntries(Object.keys(changes).map((name) => [name, bot[name as keyof BotRow]]))

export function requireStopped({ name, status }: BotRow, because = ''): void {
  if (status !== 'stopped') throw new AppError('conflict', `Stop ${name} first${because}.`)
}

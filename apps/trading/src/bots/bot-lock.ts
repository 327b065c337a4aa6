import type { Bot } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Member } from '@shapecast/platform/sessions'
import type { KeyedReplies } from '../ledger/keyed-replies.ts'
import type { BotAbilityDeps, FetchHistory } from './bot-ability.ts'
import { requireChange, unseen } from './bot-rights.ts'
import type { BotChanges, BotStore } from './bot-store.ts'
import type { BotTrading } from './bot-trading.ts'
import type { BotEquity } from './equity.ts'
import type { ExchangeEntry } from './exchange-entry.ts'
import type { PredictsNow } from './pinned-models.ts'
import type { PlanRebalance } from './rebalancing.ts'
import type { BotRow } from './tables.ts'

export interface BotControlDeps extends BotAbilityDeps {
  db: Database
  /** The clock of a replay, ms; null on every other market. */
  replayNow(): Promise<number | null>
  store: Pick<BotStore, 'lock' | 'lockRunning' | 'update' | 'find' | 'namesOf'>
  equity: Pick<BotEquity, 'shown'>
  fetchHistory?: FetchHistory | undefined
  /** Those of the named model versions that do not exist. */
  unknownVersions(versions: string[]): Promise<string[]>
  /** What predicts now, for all series at once. */
  predicting(): Promise<PredictsNow>
  real: ExchangeEntry
  trading: BotTrading
  replies: KeyedReplies
  planRebalance: PlanRebalance
  now(): number
}

/** Works on a bot under its lock; answers the bot as it is then. */
export async function locked(
  { db, store, equity }: BotControlDeps,
  id: string,
  member: Member,
  work: (tx: Orm, bot: BotRow) => Promise<void>,
): Promise<Bot> {
  await db.orm.transaction(async (tx) => {
    const bot = await store.lock(tx, id)
    requireChange(bot, member)
    await work(tx, bot)
  })
  const changed = await store.find(id)
  if (changed === undefined) throw unseen()
  return (await equity.shown([changed]))[0]!
}

export const valuesOf = (bot: BotRow, changes: BotChanges): Partial<BotRow> =>
  Object.fromEntries(Object.keys(changes).map((name) => [name, bot[name as keyof BotRow]]))

export function requireStopped({ name, status }: BotRow, because = ''): void {
  if (status !== 'stopped') throw new AppError('conflict', `Stop ${name} first${because}.`)
}

import type { BotRecord } from '@shapecast/contracts/bots'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { isToClose, type PairAccount, type Portfolio } from '@shapecast/engine/portfolio'
import type { Orm } from '@shapecast/platform/database/database'
import {
  and,
  arrayContains,
  desc,
  eq,
  exists,
  getTableColumns,
  inArray,
  isNotNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Viewer } from '../ground/ownership.ts'
import type { BotLedger } from '../ledger/bot-ledger.ts'
import { changeStatuses, mayChange, type NEW_STATUS, type StatusChange, statusBy } from './bot-status.ts'
import { withoutWishes } from './hand-wishes.ts'
import { type BotRow, botStates, bots, botWatches, TIMEFRAME } from './tables.ts'

const { temporary: _temporary, closedPnL: _closed, ...RECORD } = getTableColumns(bots)

/** What may be written of a bot here: its status is written in bot-status.ts alone. */
export type BotChanges = Partial<Omit<BotRow, 'id' | 'venue' | 'status' | 'statusReason'>>

const isToldToRebalance = sql`jsonb_path_exists(${botStates.portfolio}::jsonb, '$.pairs[*].byHand')`
const isHeld = ({ account }: PairAccount): boolean => account.side !== 0

/** Whom bots are shown to: to everybody public ones, to their owners and admins all; `all` is the system itself. */
export function visibleTo(viewer: Viewer | 'all'): SQL | undefined {
  if (viewer === 'all' || viewer?.role === 'admin') return undefined
  return or(eq(bots.visibility, 'public'), viewer === null ? undefined : eq(bots.userId, viewer.userId))
}

/** How many bots there are, and whose. */
const countsOf = (db: NodePgDatabase, venue: string) => {
  const ofVenue = eq(bots.venue, venue)
  return {
    /** Bots with real money, by id, with what they hold as they know it; null where they were never started. */
    realBots: (orm: Orm): Promise<(Pick<BotRow, 'id' | 'name' | 'status'> & { portfolio: Portfolio | null })[]> =>
      orm
        .select({ id: bots.id, name: bots.name, status: bots.status, portfolio: botStates.portfolio })
        .from(bots)
        .leftJoin(botStates, eq(botStates.botId, bots.id))
        .where(and(ofVenue, eq(bots.isVirtual, false)))
        .orderBy(bots.id),

    publicIds: async (): Promise<string[]> => {
      const isPublic = and(ofVenue, eq(bots.visibility, 'public'))
      return (await db.select({ id: bots.id }).from(bots).where(isPublic)).map(({ id }) => id)
    },

    /** Whether everybody sees a bot; it stays as it is until the transaction ends. */
    isPublic: async (tx: Orm, id: string): Promise<boolean> => {
      const [row] = await tx.select({ visibility: bots.visibility }).from(bots).where(eq(bots.id, id)).for('share')
      return row?.visibility === 'public'
    },

    /** The lasting bots of a user by name. */
    namesOf: (userId: string, tx: Orm): Promise<Pick<BotRow, 'id' | 'name'>[]> =>
      tx
        .select({ id: bots.id, name: bots.name })
        .from(bots)
        .where(and(eq(bots.userId, userId), ofVenue, eq(bots.temporary, false))),

    countOf: (userId: string, tx: Orm): Promise<number> => tx.$count(bots, eq(bots.userId, userId)),

    /** How many bots trade on a version, alone or with others. */
    countOn: (version: string): Promise<number> =>
      db.$count(bots, or(eq(bots.mlModelVersion, version), arrayContains(bots.mlModelVersions, [version]))),
  }
}

export const createBotStore = (db: NodePgDatabase, venue: string, accounts: BotLedger) => {
  const ofVenue = eq(bots.venue, venue)
  /** Deletes bots with their accounts; answers how many. */
  async function remove(tx: Orm, where: SQL | undefined): Promise<number> {
    const gone = await tx.delete(bots).where(where).returning({ id: bots.id })
    const ids = gone.map(({ id }) => id)
    await accounts.remove(tx, ids)
    return ids.length
  }
  const select = async (where: SQL | undefined): Promise<BotRecord[]> =>
    db.select(RECORD).from(bots).where(and(ofVenue, where)).orderBy(desc(bots.createdAt), desc(bots.id))
  /** Bots with real money that were started, locked until the transaction ends. */
  const realStates = (tx: Orm, where?: SQL) =>
    tx
      .select({ bot: bots, state: botStates })
      .from(bots)
      .innerJoin(botStates, eq(botStates.botId, bots.id))
      .where(and(eq(bots.venue, venue), eq(bots.isVirtual, false), where))
      .orderBy(bots.id)
      .for('update')
  return {
    ...countsOf(db, venue),

    /** Adds a bot with its account and the deposit in it; give it a transaction. Answers its id. */
    async insert(
      tx: Orm,
      bot: Omit<typeof bots.$inferInsert, 'venue' | 'id' | keyof typeof NEW_STATUS> & typeof NEW_STATUS,
    ): Promise<string> {
      const [row] = await tx
        .insert(bots)
        .values({ ...bot, venue })
        .returning({ id: bots.id })
      await accounts.open(tx, row!.id, bot.initialBalance, bot.createdAt)
      return row!.id
    },

    /** Locks a bot until the transaction ends; undefined if it is gone. */
    lock: async (tx: Orm, id: string): Promise<BotRow | undefined> => {
      const its = and(eq(bots.id, id), ofVenue)
      return (await tx.select().from(bots).where(its).for('update'))[0]
    },

    /** Locks the bots of a user that are not stopped, and those with real money, until the transaction ends. */
    lockRunning: (tx: Orm, userId: string): Promise<BotRow[]> =>
      tx
        .select()
        .from(bots)
        .where(and(eq(bots.userId, userId), ofVenue, or(ne(bots.status, 'stopped'), eq(bots.isVirtual, false))))
        .orderBy(bots.id)
        .for('update'),

    update: async (tx: Orm, id: string, changes: BotChanges): Promise<void> => {
      await tx.update(bots).set(changes).where(eq(bots.id, id))
    },

    /** Deletes a bot with its account and ledger; false where somebody else just has. */
    delete: (tx: Orm, id: string): Promise<boolean> => remove(tx, and(eq(bots.id, id), ofVenue)).then((n) => n > 0),

    /** Removes temporary bots made before `beforeMs` and answers how many there were. */
    deleteTemporary: (beforeMs: number): Promise<number> =>
      db.transaction((tx) => remove(tx, and(eq(bots.temporary, true), lt(bots.createdAt, beforeMs)))),

    find: async (id: string): Promise<BotRecord | undefined> => (await select(eq(bots.id, id)))[0],

    /** What closed trades made, by bot, quote. */
    async closedPnLs(orm: Orm, ids: string[]): Promise<Map<string, number>> {
      const rows = await orm.select({ id: bots.id, closedPnL: bots.closedPnL }).from(bots).where(inArray(bots.id, ids))
      return new Map(rows.map(({ id, closedPnL }) => [id, closedPnL]))
    },

    /** The lasting bots of a user, the newest first. */
    ownOf: (userId: string): Promise<BotRecord[]> => select(and(eq(bots.userId, userId), eq(bots.temporary, false))),

    /** Lasting bots that somebody may see, the newest first. */
    list: (viewer: Viewer | 'all'): Promise<BotRecord[]> => select(and(eq(bots.temporary, false), visibleTo(viewer))),

    /** Stops every bot with real money; with `closing` what they hold is to be sold, also by those that were stopped. */
    async stopReal(tx: Orm, closing: boolean): Promise<{ bot: BotRow; change: StatusChange }[]> {
      const isReal = and(ofVenue, eq(bots.isVirtual, false))
      const real = await tx.select().from(bots).where(isReal).orderBy(bots.id).for('update')
      const change = statusBy(closing ? 'kill_and_sell' : 'kill_and_keep')
      const stopped = real.flatMap((bot) => (mayChange(bot, change.cause) ? [{ bot, change }] : []))
      await changeStatuses(tx, stopped)
      const ids = real.map((bot) => bot.id)
      if (closing && ids.length > 0)
        await tx
          .update(botStates)
          .set({ closing: true })
          .where(and(inArray(botStates.botId, ids), isNotNull(botStates.real)))
      return stopped
    },

    /** Takes back that bots with real money were told to rebalance, and have not yet; answers whom, with what they had before. */
    async takeBackWishes(tx: Orm): Promise<{ bot: BotRow; portfolio: Portfolio }[]> {
      const wished = await realStates(tx, isToldToRebalance)
      for (const { bot, state } of wished)
        await tx
          .update(botStates)
          .set({ portfolio: withoutWishes(state.portfolio), revision: state.revision + 1 })
          .where(eq(botStates.botId, bot.id))
      return wished.map(({ bot, state }) => ({ bot, portfolio: state.portfolio }))
    },

    /** Takes back that bots with real money were told to close what they hold, and have not yet; answers what of whom. */
    async takeBackCloses(tx: Orm): Promise<{ bot: BotRow; symbols: string[] }[]> {
      const told = (await realStates(tx)).flatMap(({ bot, state }) => {
        const pairs = state.portfolio.pairs.filter((pair) => state.closing || isToClose(pair))
        return pairs.length === 0 ? [] : [{ bot, state, symbols: pairs.filter(isHeld).map(({ symbol }) => symbol) }]
      })
      for (const { bot, state } of told) {
        const pairs = state.portfolio.pairs.map((pair) => ({ ...pair, toClose: undefined }))
        const portfolio = { ...state.portfolio, pairs }
        await tx
          .update(botStates)
          .set({ closing: false, portfolio, revision: state.revision + 1 })
          .where(eq(botStates.botId, bot.id))
      }
      const change = statusBy('kill_and_keep_on')
      await changeStatuses(
        tx,
        told.flatMap(({ bot }) => (mayChange(bot, change.cause) ? [{ bot, change }] : [])),
      )
      return told.filter(({ symbols }) => symbols.length > 0)
    },
  }
}

export type BotStore = ReturnType<typeof createBotStore>

/** The pairs and timeframes of bots that trade, and of paused ones, whose stops stay. */
export async function seriesOfBots(
  db: NodePgDatabase,
  venue: string,
): Promise<{ symbol: string; timeframe: Timeframe }[]> {
  const isWatched = exists(db.select().from(botWatches).where(eq(botWatches.botId, bots.id)))
  const acts = or(inArray(bots.status, ['active', 'paused']), isWatched)
  return db
    .selectDistinct({ symbol: sql<string>`unnest(${bots.tradingPairs})`, timeframe: TIMEFRAME })
    .from(bots)
    .where(and(eq(bots.venue, venue), eq(bots.temporary, false), acts))
}

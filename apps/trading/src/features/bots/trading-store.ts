import type { BotDecision, BotTrade } from '@shapecast/contracts/bot-trading'
import type { Orm } from '@shapecast/platform/database/database'
import { and, asc, desc, eq, gte, inArray, lt, notInArray, type SQL, sql, sum } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import {
  type BotRow,
  botDecisions,
  botEquity,
  botStates,
  bots,
  botTrades,
  type DecisionRow,
  ledger,
  subAccounts,
} from './tables.ts'

export interface Page {
  since?: number | undefined
  before?: number | undefined
  limit: number
}

/** Actions without an order. */
const NOT_TRADED: BotDecision['action'][] = ['held', 'no_order']

const decisionOf = ({ botId: _, decidedAtMs, ...row }: DecisionRow): BotDecision => ({ ...row, decidedAt: decidedAtMs })

/** What bots did: their state, decisions, trades, equity and accounts. */
export const createTradingStore = (db: NodePgDatabase, venue: string) => ({
  state: async (botId: string, from: Orm = db): Promise<typeof botStates.$inferSelect | undefined> => {
    const [row] = await from.select().from(botStates).where(eq(botStates.botId, botId))
    return row
  },

  async saveState(tx: Orm, state: typeof botStates.$inferInsert): Promise<void> {
    await tx.insert(botStates).values(state).onConflictDoUpdate({ target: botStates.botId, set: state })
  },

  /** The newest first. */
  async trades(botId: string, { since, before, limit }: Page): Promise<BotTrade[]> {
    const rows = await db
      .select()
      .from(botTrades)
      .where(
        and(
          eq(botTrades.botId, botId),
          since === undefined ? undefined : gte(botTrades.exitTime, since),
          before === undefined ? undefined : lt(botTrades.exitTime, before),
        ),
      )
      .orderBy(desc(botTrades.exitTime), desc(botTrades.id))
      .limit(limit)
    return rows.map(({ botId: _, ...trade }) => trade)
  },

  /** The newest first; within a candle by symbol. */
  async decisions(
    botId: string,
    { since, before, limit, show }: Page & { show: 'all' | 'orders' | 'not_traded' },
  ): Promise<BotDecision[]> {
    const shown: Record<typeof show, SQL | undefined> = {
      all: undefined,
      orders: notInArray(botDecisions.action, NOT_TRADED),
      not_traded: inArray(botDecisions.action, NOT_TRADED),
    }
    const rows = await db
      .select()
      .from(botDecisions)
      .where(
        and(
          eq(botDecisions.botId, botId),
          since === undefined ? undefined : gte(botDecisions.candleTs, since),
          before === undefined ? undefined : lt(botDecisions.candleTs, before),
          shown[show],
        ),
      )
      .orderBy(desc(botDecisions.candleTs), asc(botDecisions.symbol))
      .limit(limit)
    return rows.map(decisionOf)
  },

  /** Up to `limit` decisions after one of a candle and symbol, the oldest first: for reading all of them in parts. */
  async decisionsAfter(botId: string, after: { candleTs: number; symbol: string } | null, limit: number) {
    const rows = await db
      .select()
      .from(botDecisions)
      .where(
        and(
          eq(botDecisions.botId, botId),
          after === null
            ? undefined
            : sql`(${botDecisions.candleTs}, ${botDecisions.symbol}) > (${after.candleTs}, ${after.symbol})`,
        ),
      )
      .orderBy(asc(botDecisions.candleTs), asc(botDecisions.symbol))
      .limit(limit)
    return rows.map(decisionOf)
  },

  /** Oldest first. */
  equity: (botId: string, since: number | undefined): Promise<{ atMs: number; equity: number }[]> =>
    db
      .select({ atMs: botEquity.atMs, equity: botEquity.equity })
      .from(botEquity)
      .where(and(eq(botEquity.botId, botId), since === undefined ? undefined : gte(botEquity.atMs, since)))
      .orderBy(asc(botEquity.atMs)),

  /** The ledger of a bot by kind, quote. */
  async money(botId: string): Promise<{ balance: number; fees: number }> {
    const [row] = await db
      .select({
        balance: sum(ledger.amount),
        fees: sql<string | null>`sum(${ledger.amount}) filter (where ${ledger.kind} = 'fee')`,
      })
      .from(subAccounts)
      .innerJoin(ledger, eq(ledger.subAccountId, subAccounts.id))
      .where(eq(subAccounts.botId, botId))
    return { balance: Number(row?.balance ?? 0), fees: 0 - Number(row?.fees ?? 0) }
  },

  /** The accounts of a user's lasting bots, the newest first. */
  async accountsOf(userId: string) {
    const rows = await db
      .select({
        id: subAccounts.id,
        botId: bots.id,
        botName: bots.name,
        venue: subAccounts.venue,
        isVirtual: bots.isVirtual,
        balance: sum(ledger.amount),
        createdAt: subAccounts.createdAtMs,
      })
      .from(bots)
      .innerJoin(subAccounts, eq(subAccounts.botId, bots.id))
      .leftJoin(ledger, eq(ledger.subAccountId, subAccounts.id))
      .where(and(eq(bots.userId, userId), eq(bots.venue, venue), eq(bots.temporary, false)))
      .groupBy(subAccounts.id, bots.id)
      .orderBy(desc(bots.createdAtMs), desc(bots.id))
    return rows.map((row) => ({ ...row, balance: Number(row.balance ?? 0) }))
  },

  /** Forgets what a bot did, and brings its ledger back to the initial balance by one more entry. */
  async reset(tx: Orm, bot: BotRow, atMs: number): Promise<void> {
    for (const table of [botDecisions, botTrades, botEquity, botStates])
      await tx.delete(table).where(eq(table.botId, bot.id))
    await tx.execute(sql`
      insert into ${ledger} (sub_account_id, kind, amount, at_ms)
      select a.id, 'reset', ${String(bot.initialBalance)}::numeric - sum(l.amount), ${atMs}
      from ${subAccounts} a join ${ledger} l on l.sub_account_id = a.id
      where a.bot_id = ${bot.id} group by a.id
      having sum(l.amount) <> ${String(bot.initialBalance)}::numeric`)
  },
})
export type TradingStore = ReturnType<typeof createTradingStore>

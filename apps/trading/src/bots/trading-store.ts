import type { BotDecision } from '@shapecast/contracts/bot-decisions'
import type { BotTrade, OpenBotPosition } from '@shapecast/contracts/bot-trading'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { NEVER_ABOVE } from '@shapecast/engine/models/liquidation'
import { isToClose, type Portfolio } from '@shapecast/engine/portfolio'
import type { Orm } from '@shapecast/platform/database/database'
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  lt,
  lte,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { BotLedger } from '../ledger/bot-ledger.ts'
import {
  type BotRow,
  botDecisions,
  botEquity,
  botHandOrders,
  botModels,
  botStates,
  bots,
  botTrades,
  type DecisionRow,
  TIMEFRAME,
} from './tables.ts'

/** Orders that slippage is learnt from. */
const MOST_DECIDED = 1000
/** An order that a decision asked for. */
export interface DecidedOrder<Price = number | null> {
  readonly orderId: string
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly candleTs: number
  /** The close of that candle, quote per base; null of old ones. */
  readonly price: Price
}

const decided = <Price = number | null>(db: NodePgDatabase, ...where: SQL[]) =>
  db
    .select({
      orderId: sql<string>`${botDecisions.orderId}`,
      symbol: botDecisions.symbol,
      timeframe: TIMEFRAME,
      candleTs: botDecisions.candleTs,
      // Open, high, low, close.
      price: sql<Price>`${botDecisions.candle}[4]`,
    })
    .from(botDecisions)
    .innerJoin(bots, eq(bots.id, botDecisions.botId))
    .where(and(isNotNull(botDecisions.orderId), ...where))
    .orderBy(desc(botDecisions.candleTs), asc(botDecisions.id))

/** Whether a person has told a bot to close one of its pairs. */
export const isToldToClose = sql`jsonb_path_exists(${botStates.portfolio}::jsonb, '$.pairs[*].toClose')`

/** What a bot knows of a position; the ledger may be a moment ahead of it. */
export type KnownPosition = Pick<
  OpenBotPosition,
  'entryTime' | 'takeProfitPrice' | 'stopLossPrice' | 'liquidationPrice' | 'closing' | 'margin' | 'fees' | 'funding'
>

export const NOT_KNOWN = {
  takeProfitPrice: null,
  stopLossPrice: null,
  liquidationPrice: null,
  closing: false,
  fees: null,
  funding: null,
} as const

/** A price that can act; null of one that is off. */
export const reachable = (price: number): number | null => (price === NEVER_ABOVE || price <= 0 ? null : price)

/** Null where the bot holds nothing of it. */
export function knownOf(
  state: { readonly portfolio: Portfolio; readonly closing: boolean } | undefined,
  symbol: string,
): KnownPosition | null {
  const pair = state?.portfolio.pairs.find((one) => one.symbol === symbol)
  if (state === undefined || pair === undefined || pair.account.side === 0) return null
  const { entryTime, margin, takeProfitPrice, stopLossPrice, liquidationPrice, entryFee, positionFunding } =
    pair.account
  return {
    entryTime,
    margin,
    takeProfitPrice: reachable(takeProfitPrice),
    stopLossPrice: reachable(stopLossPrice),
    liquidationPrice: reachable(liquidationPrice),
    closing: state.closing || isToClose(pair),
    fees: entryFee,
    funding: positionFunding,
  }
}

export interface Page {
  since?: number | undefined
  before?: number | undefined
  limit: number
}

const within = (time: AnyPgColumn, { since, before }: Omit<Page, 'limit'>) => [
  since === undefined ? undefined : gte(time, since),
  before === undefined ? undefined : lt(time, before),
]

/** Actions without an order. */
const NOT_TRADED: BotDecision['action'][] = ['held', 'no_order']

const { botId: _decided, candle, lateFromTs, ...DECISION } = getTableColumns(botDecisions)
const { botId: _traded, ...TRADE } = getTableColumns(botTrades)

/** A decision with the candle that it was made on (open, high, low, close; null of old ones), and whether one was late. */
export type KeptDecision = BotDecision & Pick<DecisionRow, 'candle' | 'lateFromTs'>

export type ClosedTrade = Pick<BotTrade, 'entryTime' | 'exitTime' | 'entryPrice' | 'quantity' | 'netPnL' | 'fees'>

/** Decisions of bots. */
const decisionsOf = (db: NodePgDatabase) => ({
  /** The newest first; within a candle by symbol. */
  async decisions(
    botId: string,
    { limit, show, ...page }: Page & { show: 'all' | 'orders' | 'not_traded' },
  ): Promise<BotDecision[]> {
    const shown: Record<typeof show, SQL | undefined> = {
      all: undefined,
      orders: notInArray(botDecisions.action, NOT_TRADED),
      not_traded: inArray(botDecisions.action, NOT_TRADED),
    }
    return db
      .select(DECISION)
      .from(botDecisions)
      .where(and(eq(botDecisions.botId, botId), ...within(botDecisions.candleTs, page), shown[show]))
      .orderBy(desc(botDecisions.candleTs), asc(botDecisions.symbol))
      .limit(limit)
  },

  /** Up to `limit` decisions after one of a candle and symbol, the oldest first: for reading all of them in parts. */
  async decisionsAfter(
    botId: string,
    after: { candleTs: number; symbol: string } | null,
    limit: number,
  ): Promise<KeptDecision[]> {
    const { candleTs, symbol } = botDecisions
    const later = after === null ? undefined : sql`(${candleTs}, ${symbol}) > (${after.candleTs}, ${after.symbol})`
    return db
      .select({ ...DECISION, candle, lateFromTs })
      .from(botDecisions)
      .where(and(eq(botDecisions.botId, botId), later))
      .orderBy(asc(candleTs), asc(symbol))
      .limit(limit)
  },

  /** How often what was decided by which rule, the commonest first. */
  countDecisions: (botId: string): Promise<(Pick<DecisionRow, 'action' | 'rule'> & { count: number })[]> =>
    db
      .select({ action: botDecisions.action, rule: botDecisions.rule, count: count() })
      .from(botDecisions)
      .where(eq(botDecisions.botId, botId))
      .groupBy(botDecisions.action, botDecisions.rule)
      .orderBy(desc(count()), asc(botDecisions.action), asc(botDecisions.rule)),

  /** What the last decision that had a target wants of each pair, a share of the equity. */
  async lastTargets(botId: string, from: Orm = db): Promise<Map<string, number>> {
    const rows = await from
      .selectDistinctOn([botDecisions.symbol], { symbol: botDecisions.symbol, target: botDecisions.target })
      .from(botDecisions)
      .where(and(eq(botDecisions.botId, botId), isNotNull(botDecisions.target)))
      .orderBy(botDecisions.symbol, desc(botDecisions.candleTs))
    return new Map(rows.map(({ symbol, target }) => [symbol, target!]))
  },

  /** Orders that targets asked for, the newest first. */
  targetOrders: (botId: string): Promise<DecidedOrder[]> =>
    decided(db, eq(botDecisions.botId, botId), isNotNull(botDecisions.target)),

  /** Orders that decisions asked for, each with its price. */
  decidedPrices: (botId: string) => decided<number>(db, eq(botDecisions.botId, botId), isNotNull(botDecisions.candle)),

  /** The newest orders with real money that decisions of a user's bots asked for, each with its price. */
  decidedOrders: (userId: string) =>
    decided<number>(db, eq(bots.userId, userId), eq(bots.isVirtual, false), isNotNull(botDecisions.candle)).limit(
      MOST_DECIDED,
    ),
})

/** What bots did: their state, decisions, trades, equity and accounts. */
export const createTradingStore = (db: NodePgDatabase, accounts: BotLedger) => {
  /** The newest first. */
  const tradesOf = async (botId: string, limit: number, ...where: (SQL | undefined)[]): Promise<BotTrade[]> =>
    db
      .select(TRADE)
      .from(botTrades)
      .where(and(eq(botTrades.botId, botId), ...where))
      .orderBy(desc(botTrades.exitTime), desc(botTrades.id))
      .limit(limit)
  return {
    ...decisionsOf(db),

    state: async (botId: string, from: Orm = db): Promise<typeof botStates.$inferSelect | undefined> => {
      const [row] = await from.select().from(botStates).where(eq(botStates.botId, botId))
      return row
    },

    async saveState(tx: Orm, state: typeof botStates.$inferInsert): Promise<void> {
      await tx.insert(botStates).values(state).onConflictDoUpdate({ target: botStates.botId, set: state })
    },

    /** What people asked a bot for to bring its pairs to their targets, in its order. */
    byHand: (botId: string) =>
      db.select().from(botHandOrders).where(eq(botHandOrders.botId, botId)).orderBy(asc(botHandOrders.id)),

    /** What of that was filled in candles up to one of `toTs`. */
    async movedByHand(botId: string, toTs: number) {
      const rows = await db
        .select()
        .from(botHandOrders)
        .where(
          and(eq(botHandOrders.botId, botId), isNotNull(botHandOrders.filledPrice), lte(botHandOrders.candleTs, toTs)),
        )
      return rows.map(({ filledPrice, ...row }) => ({ ...row, price: filledPrice!, takesBack: false }))
    },

    /** The newest first. */
    trades: (botId: string, { side, ...page }: Page & { side?: BotTrade['side'] | undefined }): Promise<BotTrade[]> =>
      tradesOf(
        botId,
        page.limit,
        ...within(botTrades.exitTime, page),
        side === undefined ? undefined : eq(botTrades.side, side),
      ),

    /** Those that closed in any of the candles that opened at `times`: by a decision, and by a stop within it. */
    tradesClosed: (botId: string, times: readonly number[]): Promise<BotTrade[]> =>
      tradesOf(botId, 2 * times.length, inArray(botTrades.exitTime, [...times])),

    /** Those that come after one in the order of `trades`; from the newest where none is given. */
    tradesAfter: (botId: string, after: BotTrade | null, { limit, ...closed }: Page): Promise<BotTrade[]> =>
      tradesOf(
        botId,
        limit,
        ...within(botTrades.exitTime, closed),
        after === null ? undefined : sql`(${botTrades.exitTime}, ${botTrades.id}) < (${after.exitTime}, ${after.id})`,
      ),

    /** Of all closed trades what their sums are made of, in the order in which they closed. */
    async closedTrades(botId: string): Promise<ClosedTrade[]> {
      const { id, entryTime, exitTime, entryPrice, quantity, netPnL, fees } = botTrades
      return db
        .select({ entryTime, exitTime, entryPrice, quantity, netPnL, fees })
        .from(botTrades)
        .where(eq(botTrades.botId, botId))
        .orderBy(asc(exitTime), asc(id))
    },

    /** Oldest first. */
    equity: (botId: string, since: number | undefined): Promise<(typeof botEquity.$inferSelect)[]> =>
      db
        .select()
        .from(botEquity)
        .where(and(eq(botEquity.botId, botId), ...within(botEquity.atMs, { since })))
        .orderBy(asc(botEquity.atMs)),

    /** At the last close until each of these moments, quote; left out before the first. */
    async equityAt(botId: string, moments: readonly number[]): Promise<Map<number, number>> {
      const { rows } = await db.execute<{ at: string; equity: number }>(sql`
        select m.at, e.equity from json_array_elements_text(${JSON.stringify(moments)}::json) as m(at), lateral (
          select equity from ${botEquity} where bot_id = ${botId} and at_ms <= m.at::bigint order by at_ms desc limit 1) e`)
      return new Map(rows.map(({ at, equity }) => [Number(at), equity]))
    },

    /** When each bot that was ever started closed its first candle, ms, and the peak of its equity, quote. */
    async begun(botIds: string[]): Promise<Map<string, { sinceMs: number | null; peak: number }>> {
      const sinceMs = sql<string | null>`(select min(at_ms) from ${botEquity} where bot_id = ${botStates.botId})`
      const peak = sql<number>`(${botStates.portfolio} ->> 'peak')::double precision`
      const rows = await db
        .select({ botId: botStates.botId, sinceMs, peak })
        .from(botStates)
        .where(inArray(botStates.botId, botIds))
      return new Map(
        rows.map(({ botId, sinceMs, peak }) => [botId, { sinceMs: sinceMs === null ? null : Number(sinceMs), peak }]),
      )
    },

    /** How far bots are, by bot; those that were never started are left out. */
    async statesOf(botIds: string[]): Promise<Map<string, typeof botStates.$inferSelect>> {
      const rows = botIds.length === 0 ? [] : await db.select().from(botStates).where(inArray(botStates.botId, botIds))
      return new Map(rows.map((state) => [state.botId, state]))
    },

    /** Forgets what a bot did, and brings its ledger back to the initial balance by one more entry. */
    async reset(tx: Orm, bot: BotRow, atMs: number): Promise<void> {
      for (const table of [botDecisions, botHandOrders, botTrades, botEquity, botModels, botStates])
        await tx.delete(table).where(eq(table.botId, bot.id))
      await accounts.reset(tx, bot.id, bot.initialBalance, atMs)
    },
  }
}

export type TradingStore = ReturnType<typeof createTradingStore>

import type { BotPrediction } from '@shapecast/contracts/predictions'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { TradeExit } from '@shapecast/engine/journal'
import type { Portfolio } from '@shapecast/engine/portfolio'
import type { Orm } from '@shapecast/platform/database/database'
import { insertRows } from '@shapecast/platform/database/insert-rows'
import { newId } from '@shapecast/platform/database/new-id'
import { and, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pace } from '../deciders/decider.ts'
import { strategiesOf } from '../deciders/deciders.ts'
import type { PlacedOrder } from '../ledger/bot-ledger.ts'
import { changeStatuses, type StatusChange } from './bot-status.ts'
import type { Decision, PairTrade } from './decide-bot.ts'
import { type Pin, savePins } from './pinned-models.ts'
import { createRealBotsStore } from './real-bots-store.ts'
import { type RunningBot, runningBots } from './running-bots.ts'
import {
  type BotRow,
  botDecisions,
  botEquity,
  botHandOrders,
  botPredictions,
  botStates,
  bots,
  botTrades,
  botWatches,
  type HandOrder,
} from './tables.ts'
import { timeframeOf } from './timeframe-of.ts'

/** A price range; outside it something happens to a position, or an order that waits for the next open. */
export type Watch = Pick<typeof botWatches.$inferSelect, 'symbol' | 'lower' | 'upper' | 'due'>

/** A decision with the candle that it was made on, and the first one that was waited for before it. */
export type MadeDecision = Decision & {
  /** Open, high, low and close. */
  readonly candle: number[]
  readonly lateFromTs: number | null
}

/** What came of a pair that a person wanted at its target; `fill` is which of the move's fills it was. */
export type HandChange = Omit<HandOrder, 'orderId'> & { readonly fill: number | null }

/** What a bot did, to be written down in one transaction with every other of its batch. */
export interface BotChange {
  readonly bot: BotRow
  readonly decidedTs: number
  readonly revision: number
  readonly portfolio: Portfolio
  /** What it holds is being sold. */
  readonly closing: boolean
  readonly worstDrawdownPct: number
  readonly decisions: readonly MadeDecision[]
  /** Orders that a decision of an earlier transaction expected, and the open refused. */
  readonly refused: readonly { readonly symbol: string; readonly candleTs: number; readonly reason: string }[]
  readonly byHand: readonly HandChange[]
  readonly trades: readonly PairTrade[]
  readonly equity: readonly Omit<typeof botEquity.$inferSelect, 'botId'>[]
  readonly watches: readonly Watch[]
  /** Null keeps it. */
  readonly status: StatusChange | null
  readonly prediction: BotPrediction | null
  /** What it trades on from now on, where that changes; `reason` says why it has no model. */
  readonly pins: readonly (Pin & { readonly reason: string | null })[]
}

/** Orders that no decision asked for: prices within a candle did, or a person. */
const UNASKED: readonly (TradeExit | null)[] = [
  'stop_loss',
  'trailing_stop',
  'take_profit',
  'time',
  'liquidation',
  'stopped',
  'closed_by_hand',
  'no_candles',
]

/** Bots whose stops and targets wait for a price. */
const watchesOf = (db: NodePgDatabase, venue: string) => ({
  /** Symbols and timeframes with something to watch for. */
  watched: (): Promise<{ symbol: string; timeframe: Timeframe }[]> =>
    db
      .selectDistinct({ symbol: botWatches.symbol, timeframe: botWatches.timeframe })
      .from(botWatches)
      .where(eq(botWatches.venue, venue)),

  /** Bots that a candle of a series concerns, by its range so far. */
  async reached(series: { symbol: string; timeframe: Timeframe }, low: number, high: number): Promise<string[]> {
    const rows = await db
      .select({ id: botWatches.botId })
      .from(botWatches)
      .where(
        and(
          eq(botWatches.venue, venue),
          eq(botWatches.symbol, series.symbol),
          eq(botWatches.timeframe, series.timeframe),
          sql`(${botWatches.due} or ${botWatches.lower} >= ${low} or ${botWatches.upper} <= ${high})`,
        ),
      )
    return rows.map(({ id }) => id)
  },

  /** Writes down of bots that have not decided a candle that it was not there when it should have been. */
  async waitFor(botIds: readonly string[], ts: number): Promise<void> {
    if (botIds.length === 0) return
    const waiting = db
      .select({ id: botStates.botId })
      .from(botStates)
      .where(
        and(
          inArray(botStates.botId, [...botIds]),
          lt(botStates.decidedTs, ts),
          sql`coalesce(${botStates.waitedTs}, 0) < ${ts}`,
        ),
      )
      .for('update', { skipLocked: true })
    await db.update(botStates).set({ waitedTs: ts }).where(inArray(botStates.botId, waiting))
  },
})

/** Trades won and lost of the bots that have changed. */
async function count(tx: Orm, changes: readonly BotChange[]): Promise<void> {
  const rows = changes
    .filter(({ trades }) => trades.length > 0)
    .map(({ bot, trades }) => ({
      id: bot.id,
      trades: trades.length,
      wins: trades.filter(({ netPnL }) => netPnL > 0).length,
      closed: trades.reduce((sum, { netPnL }) => sum + netPnL, 0),
      last: Math.max(...trades.map(({ exitTime }) => exitTime)),
    }))
  if (rows.length === 0) return
  await tx.execute(sql`
    update ${bots} b set total_trades = total_trades + r.trades, winning_trades = winning_trades + r.wins,
      closed_pnl = closed_pnl + r.closed, last_trade_at_ms = r.last
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(id uuid, trades int, wins int, closed double precision, last bigint)
    where b.id = r.id`)
}

/** The newest forecast of each bot, for its card. */
async function predict(tx: Orm, changes: readonly BotChange[]): Promise<void> {
  const rows = changes.flatMap(({ prediction }) =>
    prediction === null ? [] : { botId: prediction.botId, prediction, madeAtMs: prediction.madeAt },
  )
  const newest = sql`on conflict (bot_id) do update set prediction = excluded.prediction, made_at_ms = excluded.made_at_ms`
  await insertRows(tx, botPredictions, rows, newest)
}

/** What is to be watched for each bot from now on. */
async function watch(venue: string, tx: Orm, changes: readonly Pick<BotChange, 'bot' | 'watches'>[]): Promise<void> {
  const ids = changes.map(({ bot }) => bot.id)
  await tx.delete(botWatches).where(inArray(botWatches.botId, ids))
  const rows = changes.flatMap(({ bot, watches }) =>
    watches.map((watch) => ({ ...watch, botId: bot.id, venue, timeframe: timeframeOf(bot.parameters) })),
  )
  await insertRows(tx, botWatches, rows)
}

/** Writes down what bots did. */
const writesOf = (venue: string) => ({
  watch: watch.bind(null, venue),

  async write(tx: Orm, changes: readonly BotChange[], nowMs: number): Promise<void> {
    if (changes.length === 0) return
    const states = changes.map(({ bot, decidedTs, revision, portfolio, closing, worstDrawdownPct }) => ({
      id: bot.id,
      decided: decidedTs,
      revision,
      portfolio,
      closing,
      worst: worstDrawdownPct,
    }))
    await tx.execute(sql`
        update ${botStates} s set decided_ts = r.decided, revision = r.revision, portfolio = r.portfolio,
          closing = r.closing, worst_drawdown_pct = r.worst
        from json_to_recordset(${JSON.stringify(states)}::json)
          as r(id uuid, decided bigint, revision int, portfolio json, closing boolean, worst double precision)
        where s.bot_id = r.id`)

    const decisions = changes.flatMap(({ bot, decisions }) =>
      decisions.map((decision) => ({ ...decision, id: newId(), botId: bot.id, decidedAt: nowMs })),
    )
    await insertRows(tx, botDecisions, decisions)
    const trades = changes.flatMap(({ bot, trades }) =>
      trades.map((trade) => ({ ...trade, id: newId(), botId: bot.id })),
    )
    await insertRows(tx, botTrades, trades)
    const equity = changes.flatMap(({ bot, equity }) => equity.map((point) => ({ botId: bot.id, ...point })))
    await insertRows(tx, botEquity, equity, sql`on conflict do nothing`)
    for (const { bot, refused } of changes)
      for (const { symbol, candleTs, reason } of refused)
        await tx
          .update(botDecisions)
          .set({ rule: 'order_skipped', action: 'no_order', reason })
          .where(
            and(eq(botDecisions.botId, bot.id), eq(botDecisions.candleTs, candleTs), eq(botDecisions.symbol, symbol)),
          )
    await count(tx, changes)
    await changeStatuses(
      tx,
      changes.flatMap(({ bot, status }) => (status === null ? [] : { bot, change: status })),
    )
    await watch(venue, tx, changes)
    await predict(tx, changes)
    await savePins(
      tx,
      changes.flatMap(({ bot, pins }) => pins.map(({ reason: _, ...pin }) => ({ ...pin, botId: bot.id }))),
      nowMs,
    )
  },

  /** Writes down the results of what users asked bots for. */
  keepByHand: (tx: Orm, orders: readonly (HandOrder & { readonly botId: string })[]): Promise<void> =>
    insertRows(
      tx,
      botHandOrders,
      orders.map((order) => ({ ...order, id: newId() })),
    ),

  /** Names the order at the decision that asked for it, which is the last one before its candle; of a reversal the entry. */
  async nameOrders(
    tx: Orm,
    placed: readonly { readonly botId: string; readonly orders: readonly PlacedOrder[] }[],
  ): Promise<void> {
    const rows = placed.flatMap(({ botId, orders }) =>
      orders
        .filter(({ exitReason }) => !UNASKED.includes(exitReason))
        .map(({ orderId, symbol, time }) => ({ orderId, botId, symbol, time })),
    )
    const last = new Map(rows.map((row) => [`${row.botId} ${row.symbol} ${row.time}`, row]))
    if (last.size > 0)
      await tx.execute(sql`
          update ${botDecisions} d set order_id = r."orderId"
          from json_to_recordset(${JSON.stringify([...last.values()])}::json)
            as r("orderId" uuid, "botId" uuid, symbol text, time bigint)
          where d.bot_id = r."botId" and d.symbol = r.symbol and d.candle_ts = (
            select max(o.candle_ts) from ${botDecisions} o
            where o.bot_id = r."botId" and o.symbol = r.symbol and o.candle_ts < r.time)`)
  },
})

/**
 * Reads bots that are due under their locks, and writes what a batch of them did: a statement a table. Many rows go as
 * one JSON, since a statement with a parameter for each value costs more than its work.
 */
export const createRuntimeStore = (db: NodePgDatabase, venue: string) => {
  const running = runningBots(venue)
  return {
    ...watchesOf(db, venue),

    ...writesOf(venue),

    /** The timeframes that bots decide on. */
    async timeframes(): Promise<Timeframe[]> {
      const rows = await db
        .selectDistinct({ timeframe: botStates.timeframe })
        .from(botStates)
        .innerJoin(bots, eq(bots.id, botStates.botId))
        .where(and(eq(bots.venue, venue), inArray(bots.status, ['active', 'paused'])))
      return rows.map(({ timeframe }) => timeframe)
    },

    /** Up to `limit` bots after `afterId` that have not decided a candle that has closed. */
    due: (
      { timeframe, pace }: { timeframe: Timeframe; pace: Pace },
      closedTs: number,
      afterId: string | null,
      limit: number,
    ): Promise<RunningBot[]> =>
      running(
        db,
        and(
          inArray(bots.status, ['active', 'paused']),
          eq(botStates.timeframe, timeframe),
          inArray(
            bots.strategy,
            strategiesOf((decider) => decider.pace === pace),
          ),
          lt(botStates.decidedTs, closedTs),
          afterId === null ? undefined : gt(bots.id, afterId),
        ),
      ).limit(limit),

    /** Locks those of the bots that nobody else is at, and reads them as they are now. */
    lock: (tx: Orm, ids: readonly string[]): Promise<RunningBot[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : running(tx, inArray(bots.id, [...ids])).for('update', { skipLocked: true }),

    /** Of active bots when they were held against holding last, and whether their owners have been told nothing of that yet. */
    async judged(): Promise<Map<string, { judgedIn: number | null; isUnreported: boolean }>> {
      const rows = await db
        .select({ id: bots.id, judgedIn: botStates.judgedIn, told: botStates.reportedVerdict })
        .from(botStates)
        .innerJoin(bots, eq(bots.id, botStates.botId))
        .where(and(eq(bots.venue, venue), eq(bots.status, 'active')))
      return new Map(rows.map(({ id, judgedIn, told }) => [id, { judgedIn, isUnreported: told === null }]))
    },

    async noteJudged(botId: string, judgedIn: number): Promise<void> {
      await db.update(botStates).set({ judgedIn }).where(eq(botStates.botId, botId))
    },

    /** Notes what its owner is told in this transaction; false where something was before. */
    async markReported(tx: Orm, botId: string, verdict: 'better' | 'worse'): Promise<boolean> {
      const rows = await tx
        .update(botStates)
        .set({ reportedVerdict: verdict })
        .where(and(eq(botStates.botId, botId), isNull(botStates.reportedVerdict)))
        .returning({ botId: botStates.botId })
      return rows.length > 0
    },

    ...createRealBotsStore(db, venue, running),
  }
}

export type RuntimeStore = ReturnType<typeof createRuntimeStore>

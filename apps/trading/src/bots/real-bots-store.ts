import type { Orm } from '@shapecast/platform/database/database'
import { and, eq, inArray, isNotNull, ne, or, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { realTrading } from '../exchange/tables.ts'
import type { RunningBot, runningBots } from './running-bots.ts'
import { botDecisions, botHandOrders, botStates, bots, type FilledOrder, type RealState } from './tables.ts'
import { isToldToClose } from './trading-store.ts'

/** What bots with real money need of the database in addition to what all bots do. */
export const createRealBotsStore = (db: NodePgDatabase, venue: string, running: ReturnType<typeof runningBots>) => ({
  /** Whether there is anything to look after: a bot with real money, or a kill switch that is on. */
  async anyReal(): Promise<boolean> {
    const ofBots = db
      .select({ id: sql`1` })
      .from(bots)
      .where(and(eq(bots.venue, venue), eq(bots.isVirtual, false)))
    const killed = and(eq(realTrading.venue, venue), isNotNull(realTrading.killedAtMs))
    return (await ofBots.unionAll(db.select({ id: sql`1` }).from(realTrading).where(killed)).limit(1)).length > 0
  },

  /**
   * Bots with real money that may have work to do: those that trade, those that still close what they hold or were
   * told to close a pair, those of which the exchange may yet book funding, and `also` these.
   */
  async realBots(also: readonly string[] = [], orm: Orm = db): Promise<RunningBot[]> {
    const time = (name: string) => sql`(${botStates.real} #>> ${`{futures,${name}}`})::double precision`
    const owes = sql`${time('takenMs')} < ${time('owedMs')}`
    return running(
      orm,
      and(
        eq(bots.isVirtual, false),
        or(ne(bots.status, 'stopped'), eq(botStates.closing, true), isToldToClose, owes, inArray(bots.id, [...also])),
      ),
    )
  },

  /** What a bot with real money keeps in addition; undefined of other bots. */
  async realState(botId: string, orm: Orm = db): Promise<RealState | undefined> {
    const [row] = await orm.select({ real: botStates.real }).from(botStates).where(eq(botStates.botId, botId))
    return row?.real ?? undefined
  },

  /** Saves what a bot with real money keeps in addition. */
  async keepReal(tx: Orm, botId: string, real: RealState): Promise<void> {
    await tx.update(botStates).set({ real }).where(eq(botStates.botId, botId))
  },

  /** Writes down which order came of a decision. */
  async linkOrder(tx: Orm, botId: string, of: { symbol: string; candleTs: number }, orderId: string): Promise<void> {
    await tx
      .update(botDecisions)
      .set({ orderId })
      .where(
        and(eq(botDecisions.botId, botId), eq(botDecisions.candleTs, of.candleTs), eq(botDecisions.symbol, of.symbol)),
      )
  },

  /** Writes down at what orders were filled, of those that people asked for. */
  async settleByHand(tx: Orm, filled: readonly FilledOrder[]): Promise<void> {
    for (const { orderId, ...as } of filled)
      await tx.update(botHandOrders).set(as).where(eq(botHandOrders.orderId, orderId))
  },

  /** Corrects the decisions, and what people asked for, whose orders nobody filled; where one was to turn a position round, that was closed before. */
  async refuseOrder(tx: Orm, botId: string, orderId: string, reason: string): Promise<void> {
    const action = sql`case when ${botDecisions.action} = 'reversed' then 'closed' else 'no_order' end`
    await tx
      .update(botDecisions)
      .set({ rule: 'order_skipped', action, reason })
      .where(and(eq(botDecisions.botId, botId), eq(botDecisions.orderId, orderId)))
    await tx.update(botHandOrders).set({ reason }).where(eq(botHandOrders.orderId, orderId))
  },

  /** Tells the stream that something of a bot has changed; at once with what else of it the transaction changes. */
  async announce(tx: Orm, botId: string): Promise<void> {
    await tx.execute(
      sql`select trading.tell_bot(b, 'changed', b.visibility = 'public') from ${bots} b where b.id = ${botId}`,
    )
  },
})

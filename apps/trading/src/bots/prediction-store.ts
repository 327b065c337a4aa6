import type { BotPrediction } from '@shapecast/contracts/predictions'
import { and, desc, eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { strategiesOf } from '../deciders/deciders.ts'
import type { Viewer } from '../ground/ownership.ts'
import { visibleTo } from './bot-store.ts'
import { botDecisions, botPredictions, bots } from './tables.ts'
import { timeframeOf } from './timeframe-of.ts'

/** Candles at which nobody was asked. */
const NOT_ASKED = ['missed', 'paused', 'halted'] as const

const WITHOUT_MODELS = strategiesOf(({ takesModels }) => !takesModels)

/** The newest prediction of each bot; of one without models its last decision. */
export const createBotPredictionStore = (db: NodePgDatabase, venue: string) => ({
  /** What bots without models decided last of their first pair. */
  async lastDecided(where: SQL | undefined): Promise<BotPrediction[]> {
    const rows = await db
      .selectDistinctOn([bots.id], { bot: bots, decision: botDecisions })
      .from(bots)
      .innerJoin(botDecisions, eq(botDecisions.botId, bots.id))
      .where(
        and(
          inArray(bots.strategy, WITHOUT_MODELS),
          eq(botDecisions.symbol, sql`${bots.tradingPairs}[1]`),
          notInArray(botDecisions.rule, [...NOT_ASKED]),
          where,
        ),
      )
      .orderBy(bots.id, desc(botDecisions.candleTs))
    return rows.map(({ bot, decision: { symbol, signal, votes, rule, decidedAt } }) => ({
      botId: bot.id,
      symbol,
      timeframe: timeframeOf(bot.parameters),
      signal,
      confidence: votes[0]?.confidence ?? 0,
      rule,
      verdict: null,
      votes: [],
      madeAt: decidedAt,
    }))
  },

  async save(prediction: BotPrediction): Promise<void> {
    const { botId, madeAt: madeAtMs } = prediction
    await db
      .insert(botPredictions)
      .values({ botId, prediction, madeAtMs })
      .onConflictDoUpdate({ target: botPredictions.botId, set: { prediction, madeAtMs } })
  },

  /** Those of the bots named that the viewer may see, in one query. */
  async newest(ids: string[], viewer: Viewer | 'all'): Promise<BotPrediction[]> {
    if (ids.length === 0) return []
    const named = and(inArray(bots.id, ids), eq(bots.venue, venue), visibleTo(viewer))
    const rows = await db
      .select({ prediction: botPredictions.prediction })
      .from(botPredictions)
      .innerJoin(bots, eq(bots.id, botPredictions.botId))
      .where(and(named, notInArray(bots.strategy, WITHOUT_MODELS)))
    return [...rows.map((row) => row.prediction), ...(await this.lastDecided(named))]
  },
})
export type BotPredictionStore = ReturnType<typeof createBotPredictionStore>

import type { BotPrediction } from '@shapecast/contracts/predictions'
import { and, eq, inArray, or } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { botPredictions, bots } from './tables.ts'

/** The newest prediction of each bot. */
export const createBotPredictionStore = (db: NodePgDatabase, venue: string) => ({
  async save(prediction: BotPrediction): Promise<void> {
    const values = { botId: prediction.botId, prediction, madeAtMs: prediction.madeAt }
    await db
      .insert(botPredictions)
      .values(values)
      .onConflictDoUpdate({ target: botPredictions.botId, set: { prediction, madeAtMs: prediction.madeAt } })
  },

  /** Those of the bots named that the viewer may see, in one query: public ones, those of `userId`, or all. */
  async newest(ids: string[], viewer: { userId: string | null } | 'all'): Promise<BotPrediction[]> {
    if (ids.length === 0) return []
    const isPublic = eq(bots.visibility, 'public')
    const seen =
      viewer === 'all' ? undefined : viewer.userId === null ? isPublic : or(isPublic, eq(bots.userId, viewer.userId))
    const rows = await db
      .select({ prediction: botPredictions.prediction })
      .from(botPredictions)
      .innerJoin(bots, eq(bots.id, botPredictions.botId))
      .where(and(inArray(bots.id, ids), eq(bots.venue, venue), seen))
    return rows.map((row) => row.prediction)
  },
})
export type BotPredictionStore = ReturnType<typeof createBotPredictionStore>

import type { Orm } from '@shapecast/platform/database/database'
import { and, asc, eq, type SQL } from 'drizzle-orm'
import { type BotRow, botStates, bots } from './tables.ts'

/** A bot with how far it is. */
export interface RunningBot {
  readonly bot: BotRow
  readonly state: typeof botStates.$inferSelect
}

/** Reads bots of a venue that were started, with how far they are. */
export const runningBots = (venue: string) => (from: Orm, where: SQL | undefined) =>
  from
    .select({ bot: bots, state: botStates })
    .from(bots)
    .innerJoin(botStates, eq(botStates.botId, bots.id))
    .where(and(eq(bots.venue, venue), where))
    .orderBy(asc(bots.id))

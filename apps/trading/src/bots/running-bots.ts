import type { Orm } from '@shapecast/platform/database/database'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Pin } from './pinned-models.ts'
import { type BotRow, botModels, botStates, bots } from './tables.ts'

/** A bot with how far it is, and the models that it trades on. */
export interface RunningBot {
  readonly bot: BotRow
  readonly state: typeof botStates.$inferSelect
  readonly pins: readonly Pin[]
}

const PINS = sql<Pin[]>`(
  select coalesce(json_agg(json_build_object('symbol', m.symbol, 'asked', nullif(m.asked, ''), 'timeframe', m.timeframe,
    'takesNext', m.takes_next, 'model', case when m.artifact_id is not null then
      json_build_object('artifactId', m.artifact_id, 'version', m.version, 'hash', m.hash) end)), '[]')
  from ${botModels} m where m.bot_id = ${bots.id})`

/** Reads bots of a venue that were started, with how far they are. */
export const runningBots = (venue: string) => (from: Orm, where: SQL | undefined) =>
  from
    .select({ bot: bots, state: botStates, pins: PINS })
    .from(bots)
    .innerJoin(botStates, eq(botStates.botId, bots.id))
    .where(and(eq(bots.venue, venue), where))
    .orderBy(asc(bots.id))

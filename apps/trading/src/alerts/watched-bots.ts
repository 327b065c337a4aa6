import { eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { BotStore } from '../bots/bot-store.ts'
import type { BotEquity } from '../bots/equity.ts'
import { runningBots } from '../bots/running-bots.ts'
import { bots } from '../bots/tables.ts'
import type { WatchedBot } from './alert-kinds.ts'

/** A bot that was started, as alerts look at it; null for none. */
export const createWatchedBots =
  (deps: { orm: NodePgDatabase; venue: string; store: Pick<BotStore, 'find'>; equity: Pick<BotEquity, 'shown'> }) =>
  async (id: string): Promise<WatchedBot | null> => {
    const [[running], record] = await Promise.all([
      runningBots(deps.venue)(deps.orm, eq(bots.id, id)),
      deps.store.find(id),
    ])
    if (running === undefined || record === undefined) return null
    const [shown] = await deps.equity.shown([record])
    const { bot, state } = running
    return {
      userId: bot.userId,
      name: bot.name,
      isActive: bot.status === 'active',
      equity: shown?.currentBalance ?? null,
      peak: state.portfolio.peak,
      timeframe: state.timeframe,
      decidedTs: state.decidedTs,
    }
  }

import type { Bot } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { BotPrediction, Prediction } from '@shapecast/contracts/predictions'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { decide, type Plan, planOf } from '@shapecast/engine/plan'
import type { Viewer } from './bot-rights.ts'
import type { BotPredictionStore } from './prediction-store.ts'

/** Bots decide at the close of hourly candles. */
const TIMEFRAME: Timeframe = '1h'

export interface BotPredictionDeskDeps {
  store: BotPredictionStore
  /** Throws `not_found` where the viewer may not see the bot. */
  read(id: string, viewer: Viewer): Promise<Bot>
  /** One version's forecast, the current one's where none is named. */
  predict(asked: {
    symbol: string
    timeframe: Timeframe
    version?: string | undefined
    limit: number
  }): Promise<Prediction>
  now(): number
}

type Vote = BotPrediction['votes'][number]

/** What bots' models say of their first trading pair. */
export const createBotPredictionDesk = ({ store, read, predict, now }: BotPredictionDeskDeps) => {
  const ask = (symbol: string, version?: string) => predict({ symbol, timeframe: TIMEFRAME, version, limit: 1 })

  const voteOf = async (symbol: string, version: string): Promise<Vote> => {
    try {
      return { version, prediction: await ask(symbol, version), error: null }
    } catch (error) {
      if (error instanceof AppError) return { version, prediction: null, error: error.message }
      throw error
    }
  }

  /** One model's failure is the answer's; of an ensemble the others decide. */
  const votesOf = async (plan: Plan, symbol: string): Promise<Vote[]> => {
    if (plan.versions.length < 2) {
      const prediction = await ask(symbol, plan.versions[0])
      return [{ version: prediction.version, prediction, error: null }]
    }
    const votes: Vote[] = []
    for (const version of plan.versions) votes.push(await voteOf(symbol, version))
    if (votes.every(({ prediction }) => prediction === null))
      throw new AppError('model_not_trained', `None of this bot's models can predict ${symbol}: ${votes[0]!.error}`)
    return votes
  }

  return {
    /** The newest prediction of a bot; null where it has none yet. Throws `not_found`. */
    async last(id: string, viewer: Viewer): Promise<BotPrediction | null> {
      const bot = await read(id, viewer)
      return (await store.newest([bot.id], 'all'))[0] ?? null
    },

    /** By bot; those without one, or not to be seen, are left out. */
    async lastOf(ids: string[], viewer: Viewer): Promise<Record<string, BotPrediction>> {
      const found = await store.newest(ids, viewer?.role === 'admin' ? 'all' : { userId: viewer?.userId ?? null })
      return Object.fromEntries(found.map((prediction) => [prediction.botId, prediction]))
    },

    /**
     * Asks a bot's models now and keeps the answer. Throws `not_found`, `unprocessable` for a bot that does not decide by
     * models, and what its one model throws.
     */
    async poll(id: string, viewer: Viewer): Promise<BotPrediction> {
      const bot = await read(id, viewer)
      if (bot.strategy !== 'ml')
        throw new AppError(
          'unprocessable',
          'This bot decides by OpenAI, not by models: it has no prediction to ask for.',
        )
      const symbol = bot.tradingPairs[0]!
      const plan = planOf(bot)
      const votes = await votesOf(plan, symbol)
      const given = votes.flatMap(({ prediction }) => prediction ?? [])
      const { signal, confidence, rule } = decide(given, plan)
      const said = { signal, confidence, rule, votes }
      const prediction: BotPrediction = { botId: bot.id, symbol, timeframe: TIMEFRAME, ...said, madeAt: now() }
      await store.save(prediction)
      return prediction
    },
  }
}
export type BotPredictionDesk = ReturnType<typeof createBotPredictionDesk>

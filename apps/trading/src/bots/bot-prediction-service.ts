import { AppError } from '@shapecast/contracts/errors'
import type { BotPrediction, Prediction } from '@shapecast/contracts/predictions'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { decide, type Plan, planOf } from '@shapecast/engine/policies/plan'
import { consensusVerdict } from '@shapecast/engine/verdicts/signal-verdict'
import { DECIDERS } from '../deciders/deciders.ts'
import { askedVersions } from '../deciders/model.ts'
import type { Viewer } from '../ground/ownership.ts'
import type { BotsContext } from './bots-context.ts'
import { type Pin, type PinnedModel, pinOf } from './pinned-models.ts'
import type { BotPredictionStore } from './prediction-store.ts'
import { timeframeOf } from './timeframe-of.ts'

export interface BotPredictionServiceDeps extends Pick<BotsContext, 'read' | 'now'> {
  store: BotPredictionStore
  /** One version's forecast, the current one's where none is named, or that of its artifact that is `pinned`. */
  predict(asked: {
    symbol: string
    timeframe: Timeframe
    version?: string | undefined
    pinned?: PinnedModel | undefined
    limit: number
  }): Promise<Prediction>
  /** What a bot trades on. */
  pinsOf(botId: string): Promise<readonly Pin[]>
}

type Vote = BotPrediction['votes'][number]
type Series = Pick<BotPrediction, 'symbol' | 'timeframe'>

/** What bots' models say of their first trading pair. */
export const createBotPredictionService = ({ store, read, predict, pinsOf, now }: BotPredictionServiceDeps) => {
  /** By the artifact that a bot has pinned for a version, or for the current one (null); else by the newest. */
  const ask = (series: Series, asked: string | null, pins: readonly Pin[]): Promise<Prediction> => {
    const pinned = pinOf(pins, { ...series, asked })?.model ?? undefined
    return predict({ ...series, version: pinned?.version ?? asked ?? undefined, pinned, limit: 1 })
  }

  const voteOf = async (series: Series, version: string, pins: readonly Pin[]): Promise<Vote> => {
    try {
      return { version, prediction: await ask(series, version, pins), error: null }
    } catch (error) {
      if (error instanceof AppError) return { version, prediction: null, error: error.message }
      throw error
    }
  }

  /** One model's failure is the answer's; of an ensemble the others decide. */
  const votesOf = async (plan: Plan, series: Series, pins: readonly Pin[]): Promise<Vote[]> => {
    const [only, ...others] = askedVersions(plan)
    if (only !== undefined && others.length === 0) {
      const prediction = await ask(series, only, pins)
      return [{ version: prediction.version, prediction, error: null }]
    }
    const votes: Vote[] = []
    for (const version of plan.versions) votes.push(await voteOf(series, version, pins))
    if (votes.every(({ prediction }) => prediction === null))
      throw new AppError(
        'model_not_trained',
        `None of this bot's models can predict ${series.symbol}: ${votes[0]!.error}`,
      )
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
      const found = await store.newest(ids, viewer)
      return Object.fromEntries(found.map((prediction) => [prediction.botId, prediction]))
    },

    /**
     * Asks a bot's models now, those that it trades on once it was started, and keeps the answer. A language model is asked at closes alone, since each call is paid:
     * the answer is what it decided last, HOLD before its first decision. Throws `not_found`, and what its one model
     * throws.
     */
    async poll(id: string, viewer: Viewer): Promise<BotPrediction> {
      const bot = await read(id, viewer)
      const series = { symbol: bot.tradingPairs[0]!, timeframe: timeframeOf(bot.parameters) }
      if (!DECIDERS[bot.strategy].takesModels) {
        const [decided] = await store.newest([id], 'all')
        const none = { signal: 'HOLD', confidence: 0, rule: 'no_votes', verdict: null } as const
        return decided ?? { botId: id, ...series, ...none, votes: [], madeAt: now() }
      }
      const plan = planOf(bot)
      const votes = await votesOf(plan, series, await pinsOf(id))
      const given = votes.flatMap(({ prediction }) => prediction ?? [])
      const { signal, confidence, rule } = decide(given, plan)
      const said = { signal, confidence, rule, verdict: consensusVerdict({ signal, votes }), votes }
      const prediction: BotPrediction = { botId: bot.id, ...series, ...said, madeAt: now() }
      await store.save(prediction)
      return prediction
    },
  }
}
export type BotPredictionService = ReturnType<typeof createBotPredictionService>

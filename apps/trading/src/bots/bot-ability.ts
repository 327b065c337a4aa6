import type { Bot } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import { type PlannedBot, planOf } from '@shapecast/engine/policies/plan'
import { deciderOf } from '../deciders/deciders.ts'
import type { BotsContext } from './bots-context.ts'
import { appErrorOr } from './decision-answers.ts'
import type { Pin, PinnedModel } from './pinned-models.ts'
import { timeframeOf } from './timeframe-of.ts'

export type BotAbilityDeps = Pick<BotsContext, 'requireSymbol' | 'currentModel' | 'openaiReady'>

/** What decides whether a bot could decide. */
export type AbleBot = PlannedBot & Pick<Bot, 'strategy' | 'tradingPairs'>

/** A model that a bot would trade on, or why there is none. */
export interface WantedModel extends Pick<Pin, 'symbol' | 'asked' | 'timeframe'> {
  readonly found: PinnedModel | AppError
}

/**
 * The models that a bot of this kind would trade on. Throws `unprocessable` without a key of its language model, and
 * `unknown_symbol` for the first pair that it could not trade.
 */
export async function modelsFor(deps: BotAbilityDeps, bot: AbleBot): Promise<WantedModel[]> {
  const timeframe = timeframeOf(bot.parameters)
  const plan = planOf(bot)
  const decider = deciderOf(bot, plan)
  decider.requireReady(deps)
  const wanted: WantedModel[] = []
  for (const symbol of bot.tradingPairs) {
    const known = await appErrorOr(deps.requireSymbol(symbol))
    if (known instanceof AppError) throw ofPairs(known)
    for (const asked of decider.versions(plan)) {
      const found = await appErrorOr(deps.currentModel(asked, symbol, timeframe))
      wanted.push({ symbol, asked, timeframe, found: found instanceof AppError ? ofPairs(found) : found })
    }
  }
  return wanted
}

const ofPairs = (error: AppError): AppError =>
  error.code === 'model_not_trained' || error.code === 'unknown_symbol'
    ? new AppError(error.code, error.message, { field: 'tradingPairs', cause: error })
    : error

/** Throws where a bot of this kind could not decide: as `modelsFor`, and `model_not_trained`. */
export async function requireAble(deps: BotAbilityDeps, bot: AbleBot): Promise<void> {
  for (const { found } of await modelsFor(deps, bot)) if (found instanceof AppError) throw found
}

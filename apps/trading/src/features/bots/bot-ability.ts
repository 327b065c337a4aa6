import type { Bot } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { asksModels, type PlannedBot, planOf } from '@shapecast/engine/plan'
import { timeframeOf } from './timeframe-of.ts'

export interface BotAbilityDeps {
  /** Throws `unknown_symbol` where the market does not trade it. */
  requireSymbol(symbol: string): Promise<void>
  /** Throws `model_not_trained` where the version, or the current one (null), cannot forecast the series. */
  requireModel(version: string | null, symbol: string, timeframe: Timeframe): Promise<void>
  /** Whether a language model can be asked. */
  openaiReady: boolean
}

/** Has the candles fetched that a bot's policy looks back over; whether that succeeds is no matter of the call. */
export type FetchHistory = (bot: PlannedBot, by: { userId: string; address: string }) => Promise<void>

/** What decides whether a bot could decide. */
export type AbleBot = PlannedBot & Pick<Bot, 'strategy' | 'tradingPairs'>

/**
 * Throws where a bot of this kind could not decide: `unprocessable` without a key of its language model, `unknown_symbol`
 * or `model_not_trained` for the first pair that it could not trade.
 */
export async function requireAble(deps: BotAbilityDeps, bot: AbleBot): Promise<void> {
  if (bot.strategy === 'openai' && !deps.openaiReady)
    throw new AppError(
      'unprocessable',
      'This installation has no key of a language model: OPENAI_API_KEY is not set.',
      { field: 'strategy' },
    )
  const timeframe = timeframeOf(bot.parameters)
  for (const symbol of bot.tradingPairs)
    try {
      await deps.requireSymbol(symbol)
      if (!asksModels(planOf(bot)) || bot.strategy === 'openai') continue
      for (const version of bot.mlModelVersions ?? [bot.mlModelVersion])
        await deps.requireModel(version, symbol, timeframe)
    } catch (error) {
      if (error instanceof AppError && (error.code === 'model_not_trained' || error.code === 'unknown_symbol'))
        throw new AppError(error.code, error.message, { field: 'tradingPairs', cause: error })
      throw error
    }
}

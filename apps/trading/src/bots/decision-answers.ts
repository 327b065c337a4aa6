import { AppError } from '@shapecast/contracts/errors'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { type Plan, planOf } from '@shapecast/engine/policies/plan'
import type { Advisers, Decider, Said } from '../deciders/decider.ts'
import { isFlat, type Pin, type PinnedModel, pinOf } from './pinned-models.ts'
import type { RunningBot } from './running-bots.ts'

/** The forecast of a trained model at the close of a candle. Throws an AppError if there is none. */
export type ForecastSource = (
  model: PinnedModel,
  symbol: string,
  timeframe: Timeframe,
  candleTs: number,
) => Promise<Said>

/**
 * The trained model that speaks for a version, or for the current one (null), on a series now. Throws
 * `model_not_trained` if there is none.
 */
export type CurrentModel = (version: string | null, symbol: string, timeframe: Timeframe) => Promise<PinnedModel>

/** Whom bots ask before they decide. */
export interface DecisionSources extends Advisers {
  readonly forecast: ForecastSource
  readonly currentModel: CurrentModel
}

/** Which model a bot trades on, and what it was pinned to when that was chosen. */
interface Choice {
  readonly pin: Pin | undefined
  readonly model: PinnedModel | AppError
}

interface Heard {
  readonly said: Said | AppError
  readonly pin: Pin | null
}

/** A bot that has changed since this round read what it needs: the next round takes it. */
export class NotPrepared extends Error {
  override readonly name = 'NotPrepared'
}

const STILL_NO_MODEL = 'It still has no model, so it decides nothing.'

const keyOf = (speaker: string, symbol: string) => `${speaker} ${symbol}`
const choiceKey = (botId: string, symbol: string, asked: string | null) => `${botId} ${symbol} ${asked ?? ''}`

/** What is said at one close to all bots of a timeframe: each model is asked once, whichever bots trade on it. */
export function createAnswers(deps: DecisionSources & { timeframe: Timeframe; closedTs: number }) {
  const { timeframe, closedTs } = deps
  const said = new Map<string, Said | AppError>()
  const current = new Map<string, PinnedModel | AppError>()
  const chosen = new Map<string, Choice>()

  /** Asked for once a round. */
  async function currentModel(asked: string | null, symbol: string): Promise<PinnedModel | AppError> {
    const key = keyOf(asked ?? '', symbol)
    const found = current.get(key) ?? (await appErrorOr(deps.currentModel(asked, symbol, timeframe)))
    current.set(key, found)
    return found
  }

  /** The model that a bot trades on. It takes the newest one where it has none, or wants it and may. */
  async function choose(running: RunningBot, plan: Plan, symbol: string, asked: string | null): Promise<Choice> {
    const pin = pinOf(running.pins, { symbol, asked, timeframe })
    const wants = pin?.takesNext === true || running.bot.parameters?.followModel === true
    if (pin?.model && !(wants && mayTake(running, plan, symbol))) return { pin, model: pin.model }
    const found = await currentModel(asked, symbol)
    return { pin, model: found instanceof AppError ? (pin?.model ?? found) : found }
  }

  return {
    /** Asks the model that a bot trades on for a pair and a version, unless it was asked before. */
    async askModel(running: RunningBot, plan: Plan, symbol: string, asked: string | null): Promise<void> {
      const choice = await choose(running, plan, symbol, asked)
      chosen.set(choiceKey(running.bot.id, symbol, asked), choice)
      const { model } = choice
      if (model instanceof AppError || said.has(keyOf(model.artifactId, symbol))) return
      said.set(keyOf(model.artifactId, symbol), await appErrorOr(deps.forecast(model, symbol, timeframe, closedTs)))
    },

    /** Has the decider of a bot say itself what there is to say of each pair. */
    async askDecider(
      { bot, state }: RunningBot,
      { say }: Decider,
      candlesOf: (symbol: string) => Candles,
    ): Promise<void> {
      for (const { symbol, account } of state.portfolio.pairs) {
        const candles = candlesOf(symbol)
        const i = candles.length - 1
        if (candles.ts[i] !== closedTs) continue
        said.set(keyOf(`bot ${bot.id}`, symbol), await say!({ bot, symbol, timeframe, candles, i, account }, deps))
      }
    },

    /**
     * What a bot's model of a pair and a version said at the newest close, and the pin to be written down, null where it
     * stays; undefined where it was not asked. Throws `NotPrepared` where the bot has been given another model meanwhile,
     * or holds something by now that keeps it from taking one.
     */
    said(running: RunningBot, symbol: string, asked: string | null): Heard | undefined {
      const choice = chosen.get(choiceKey(running.bot.id, symbol, asked))
      if (choice === undefined) return undefined
      const pin = pinOf(running.pins, { symbol, asked, timeframe })
      const { model } = choice
      const may = mayTake(running, planOf(running.bot), symbol)
      const takes = pin?.model && !(model instanceof AppError) && model.artifactId !== pin.model.artifactId
      if (!isSamePin(pin, choice.pin) || (takes && !may))
        throw new NotPrepared('The bot has been given another model since it was asked.')
      if (model instanceof AppError)
        return pin === undefined
          ? { said: model, pin: { symbol, asked, timeframe, model: null, takesNext: false } }
          : { said: new AppError(model.code, STILL_NO_MODEL), pin: null }
      const answer = said.get(keyOf(model.artifactId, symbol))!
      const isKept = pin?.model?.artifactId === model.artifactId && !(pin.takesNext && may)
      return { said: answer, pin: isKept ? null : { symbol, asked, timeframe, model, takesNext: false } }
    },

    /** What a bot's decider said itself; undefined where it was not asked. */
    saidTo: (botId: string, symbol: string): Said | AppError | undefined => said.get(keyOf(`bot ${botId}`, symbol)),
  }
}

const isSamePin = (a: Pin | undefined, b: Pin | undefined): boolean =>
  a?.model?.artifactId === b?.model?.artifactId && a?.takesNext === b?.takesNext

/** A model is changed while nothing is held by it; a policy, which may always hold something, changes at its daily decision. */
const mayTake = ({ state }: RunningBot, plan: Plan, symbol: string): boolean =>
  plan.targets !== undefined || isFlat(state.portfolio, plan, symbol)

/** What is awaited, or why it cannot be had. */
export const appErrorOr = <T>(asked: Promise<T>): Promise<T | AppError> =>
  asked.catch((error: unknown) => {
    if (error instanceof AppError) return error
    throw error
  })

import { AppError } from '@shapecast/contracts/errors'
import type { CandleRow, Market } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { type Plan, planOf } from '@shapecast/engine/policies/plan'
import type { Advisers, Decider, Said } from '../deciders/decider.ts'
import { deciderOf } from '../deciders/deciders.ts'
import { isFlat, type Pin, type PinnedModel, pinOf } from './pinned-models.ts'
import type { RunningBot } from './running-bots.ts'

/** What bots need of the market. */
export interface BotMarket {
  /** The market's clock, ms; null where it has none. */
  now(): Promise<number | null>
  /** Seconds of its clock a second; 1 where it is left out. */
  readonly speed?: number | undefined
  /** The newest `limit` candles that opened up to `toMs`, oldest first. */
  load(symbol: string, timeframe: Timeframe, range: { toMs: number; limit: number }): Promise<Candles>
  rules(symbol: string): Promise<Pick<Market, 'lotSize' | 'minNotional'> | null>
  /** The candle that forms, as it stands; null where it is not known. */
  forming(symbol: string, timeframe: Timeframe): CandleRow | null
  price(symbol: string): Promise<number>
}

/** The forecast of a trained model at the close of a candle. Throws an AppError where there is none. */
export type ForecastSource = (
  model: PinnedModel,
  symbol: string,
  timeframe: Timeframe,
  candleTs: number,
) => Promise<Said>

/**
 * The trained model that speaks for a version, or for the current one (null), on a series now. Throws
 * `model_not_trained` where there is none.
 */
export type CurrentModel = (version: string | null, symbol: string, timeframe: Timeframe) => Promise<PinnedModel>

/** Whom bots ask before they decide. */
export interface DecisionSources extends Advisers {
  readonly forecast: ForecastSource
  readonly currentModel: CurrentModel
}

/** Candles that one round takes a bot through at most; the next round goes on. */
const MOST_CANDLES = 2000
const ASKED_AT_ONCE = 8
/** A candle comes so long after its close as a rule. */
const LATE_MS = 10_000

/**
 * What all bots of a timeframe look at when a candle has closed: each series is read once, and each model asked once,
 * outside of any transaction.
 */
export function createRound(
  deps: DecisionSources & {
    market: Pick<BotMarket, 'load' | 'rules'>
    timeframe: Timeframe
    /** Open time of the last candle that has closed. */
    closedTs: number
    nowMs: number
  },
) {
  const { market, timeframe, closedTs, nowMs } = deps
  const step = TIMEFRAME_MS[timeframe]
  const windows = new Map<string, Candles>()
  const rules = new Map<string, Pick<Market, 'lotSize' | 'minNotional'>>()
  const said = new Map<string, Said | AppError>()
  const keyOf = (speaker: string, symbol: string) => `${speaker} ${symbol}`
  const current = new Map<string, PinnedModel | AppError>()
  const chosen = new Map<string, Choice>()
  const choiceKey = (botId: string, symbol: string, asked: string | null) => `${botId} ${symbol} ${asked ?? ''}`

  async function load(symbol: string, fromTs: number, history: number): Promise<void> {
    const toMs = Math.min(closedTs, fromTs + MOST_CANDLES * step)
    const limit = Math.round((toMs - fromTs) / step) + history
    const known = windows.get(symbol)
    if (known !== undefined && known.length >= limit && known.ts[0]! <= fromTs) return
    windows.set(symbol, await market.load(symbol, timeframe, { toMs, limit }))
  }

  /** Has the decider of a bot say itself what there is to say of each pair. */
  async function askDecider({ bot, state }: RunningBot, { say }: Decider): Promise<void> {
    for (const { symbol, account } of state.portfolio.pairs) {
      const candles = windows.get(symbol)!
      const i = candles.length - 1
      if (candles.ts[i] !== closedTs) continue
      said.set(keyOf(`bot ${bot.id}`, symbol), await say!({ bot, symbol, timeframe, candles, i, account }, deps))
    }
  }

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

  /** Reads a bot's candles and rules and asks its models; answers its decider, null where it decides nothing now. */
  async function prepareOne(one: RunningBot): Promise<Decider | null> {
    const { bot, state } = one
    const plan = planOf(bot)
    const decider = deciderOf(bot, plan)
    const decides = bot.status === 'active' && decider.isDue(plan, state.portfolio, closedTs, timeframe)
    const history = decides ? decider.history(bot, plan, timeframe) : 0
    for (const symbol of bot.tradingPairs) {
      await load(symbol, state.decidedTs, 2 + history)
      if (!rules.has(symbol)) rules.set(symbol, (await market.rules(symbol)) ?? { lotSize: 0, minNotional: 0 })
      if (!decides) continue
      for (const asked of decider.versions(plan)) {
        const choice = await choose(one, plan, symbol, asked)
        chosen.set(choiceKey(bot.id, symbol, asked), choice)
        const { model } = choice
        if (model instanceof AppError || said.has(keyOf(model.artifactId, symbol))) continue
        said.set(keyOf(model.artifactId, symbol), await appErrorOr(deps.forecast(model, symbol, timeframe, closedTs)))
      }
    }
    return decides ? decider : null
  }

  return {
    timeframe,
    closedTs,
    nowMs,
    step,

    /** Reads and asks for what these bots need. Answers those that have it: one whose market cannot be read waits alone. */
    async prepare(running: readonly RunningBot[]): Promise<{ ready: RunningBot[]; waiting: Waiting[] }> {
      const speaking: { running: RunningBot; decider: Decider }[] = []
      const ready: RunningBot[] = []
      const waiting: Waiting[] = []
      for (const one of running)
        try {
          const decider = await prepareOne(one)
          ready.push(one)
          if (decider?.say !== undefined) speaking.push({ running: one, decider })
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          waiting.push({ botId: one.bot.id, error })
        }
      for (let at = 0; at < speaking.length; at += ASKED_AT_ONCE)
        await Promise.all(
          speaking.slice(at, at + ASKED_AT_ONCE).map(({ running, decider }) => askDecider(running, decider)),
        )
      return { ready, waiting }
    },

    /** Whether a bot has not decided the candle of this round. */
    isDue: ({ bot, state }: RunningBot): boolean =>
      (bot.status === 'active' || bot.status === 'paused') &&
      state.timeframe === timeframe &&
      state.decidedTs < closedTs,

    /** Whether a candle of a bot is not there though it should have been for a while. */
    isLate: ({ tradingPairs }: Pick<RunningBot['bot'], 'tradingPairs'>): boolean =>
      nowMs >= closedTs + step + LATE_MS && tradingPairs.some((symbol) => windows.get(symbol)?.ts.at(-1) !== closedTs),

    /** The candles of a series up to the last that this round looks at; undefined where they were not read. */
    window: (symbol: string): Candles | undefined => windows.get(symbol),
    rules: (symbol: string) => rules.get(symbol),
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
export type DecisionRound = ReturnType<typeof createRound>

/** A bot that this round cannot take, and why. */
export interface Waiting {
  readonly botId: string
  readonly error: AppError
}

/** A bot that has changed since this round read what it needs: the next round takes it. */
export class NotPrepared extends Error {
  override readonly name = 'NotPrepared'
}

const STILL_NO_MODEL = 'It still has no model, so it decides nothing.'

/** Which model a bot trades on, and what it was pinned to when that was chosen. */
interface Choice {
  readonly pin: Pin | undefined
  readonly model: PinnedModel | AppError
}

interface Heard {
  readonly said: Said | AppError
  readonly pin: Pin | null
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

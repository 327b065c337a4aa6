import { AppError } from '@shapecast/contracts/errors'
import type { CandleRow, Market } from '@shapecast/contracts/market'
import type { Signal } from '@shapecast/contracts/ml'
import type { Prediction } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { asksModels, planOf } from '@shapecast/engine/plan'
import { measuredCandles } from '@shapecast/engine/policies/measures'
import { type BotForecast, hasDecided } from './decide-bot.ts'
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

/** What a language model is asked for one pair of a bot. */
export interface OpenaiQuestion {
  readonly botId: string
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly market: 'spot' | 'futures'
  readonly candles: Candles
  readonly i: number
  readonly callsADay?: number | undefined
  readonly position: {
    readonly side: 'long' | 'short' | 'flat'
    readonly entryPrice: number | null
    readonly profitPct: number | null
  }
}

/** Its answer; HOLD with the reason where it failed. */
export interface OpenaiAnswer {
  readonly signal: Signal
  readonly confidence: number
  readonly reasoning: string
  /** Null where it answered. */
  readonly failure: string | null
}

/** What a model says at a close: as bots take it, and as the API shows it. */
export interface Said {
  readonly forecast: BotForecast
  /** Null of a language model. */
  readonly prediction: Prediction | null
}

/** The forecast of a version, or of the current one (null), at the close of a candle. Throws an AppError where there is none. */
export type ForecastSource = (
  version: string | null,
  symbol: string,
  timeframe: Timeframe,
  candleTs: number,
) => Promise<Said>

/** Candles that one round takes a bot through at most; the next round goes on. */
const MOST_CANDLES = 2000
/** Candles that a language model is shown or its indicators are worked out from. */
const SHOWN_TO_OPENAI = 300
const ASKED_AT_ONCE = 8

/**
 * What all bots of a timeframe look at when a candle has closed: each series is read once, and each model asked once,
 * outside of any transaction.
 */
export function createRound(deps: {
  market: Pick<BotMarket, 'load' | 'rules'>
  forecast: ForecastSource
  askOpenai(question: OpenaiQuestion): Promise<OpenaiAnswer>
  timeframe: Timeframe
  /** Open time of the last candle that has closed. */
  closedTs: number
  nowMs: number
}) {
  const { market, timeframe, closedTs, nowMs } = deps
  const step = TIMEFRAME_MS[timeframe]
  const windows = new Map<string, Candles>()
  const rules = new Map<string, Pick<Market, 'lotSize' | 'minNotional'>>()
  const said = new Map<string, Said | AppError>()
  const keyOf = (version: string | null, symbol: string) => `${version ?? ''} ${symbol}`

  async function load(symbol: string, fromTs: number, history: number): Promise<void> {
    const toMs = Math.min(closedTs, fromTs + MOST_CANDLES * step)
    const limit = Math.round((toMs - fromTs) / step) + history
    const known = windows.get(symbol)
    if (known !== undefined && known.length >= limit && known.ts[0]! <= fromTs) return
    windows.set(symbol, await market.load(symbol, timeframe, { toMs, limit }))
  }

  /** Asks the language model about each pair of a bot. */
  async function askOpenai({ bot, state }: RunningBot): Promise<void> {
    for (const { symbol, account } of state.portfolio.pairs) {
      const candles = windows.get(symbol)!
      const i = candles.length - 1
      if (candles.ts[i] !== closedTs) continue
      const profit = candles.close[i]! / account.entryPrice - 1
      const flat = { side: 'flat', entryPrice: null, profitPct: null } as const
      const held = { side: account.side > 0 ? 'long' : 'short', entryPrice: account.entryPrice } as const
      const position = account.side === 0 ? flat : { ...held, profitPct: 100 * account.side * profit }
      const callsADay = bot.parameters?.openaiCallsADay
      const question = { botId: bot.id, symbol, timeframe, market: bot.marketType, candles, i, position, callsADay }
      const answer = await deps.askOpenai(question)
      said.set(
        keyOf(`bot ${bot.id}`, symbol),
        answer.failure === null ? voteOf(answer) : new AppError('unavailable', answer.reasoning),
      )
    }
  }

  return {
    timeframe,
    closedTs,
    nowMs,
    step,

    /** Reads and asks for what these bots need. */
    async prepare(running: readonly RunningBot[]): Promise<void> {
      for (const { bot, state } of running) {
        const plan = planOf(bot)
        const { targets } = plan
        // A policy looks far back where it decides, which is once a day.
        const decidesTarget =
          targets !== undefined &&
          bot.status === 'active' &&
          state.portfolio.pairs.some((pair) => !hasDecided(targets, pair, closedTs, timeframe))
        const measured = decidesTarget ? measuredCandles(timeframe, targets.policy) : 0
        for (const symbol of bot.tradingPairs) {
          await load(symbol, state.decidedTs, 2 + measured + (bot.strategy === 'openai' ? SHOWN_TO_OPENAI : 0))
          if (!rules.has(symbol)) rules.set(symbol, (await market.rules(symbol)) ?? { lotSize: 0, minNotional: 0 })
          if (bot.status !== 'active' || !asksModels(plan) || bot.strategy === 'openai') continue
          if (targets !== undefined && !decidesTarget) continue
          for (const version of plan.versions.length === 0 ? [null] : plan.versions) {
            const key = keyOf(version, symbol)
            if (said.has(key)) continue
            said.set(key, await answerOf(deps.forecast(version, symbol, timeframe, closedTs)))
          }
        }
      }
      const openai = running.filter(({ bot }) => bot.strategy === 'openai' && bot.status === 'active')
      for (let at = 0; at < openai.length; at += ASKED_AT_ONCE)
        await Promise.all(openai.slice(at, at + ASKED_AT_ONCE).map(askOpenai))
    },

    /** The candles of a series up to the last that this round looks at; undefined where they were not read. */
    window: (symbol: string): Candles | undefined => windows.get(symbol),
    rules: (symbol: string) => rules.get(symbol),
    /** What a version said at the newest close; undefined where it was not asked. */
    said: (version: string | null, symbol: string): Said | AppError | undefined => said.get(keyOf(version, symbol)),
    /** What the language model said to a bot; undefined where it was not asked. */
    saidTo: (botId: string, symbol: string): Said | AppError | undefined => said.get(keyOf(`bot ${botId}`, symbol)),
  }
}
export type DecisionRound = ReturnType<typeof createRound>

const answerOf = (asked: Promise<Said>): Promise<Said | AppError> =>
  asked.catch((error: unknown) => {
    if (error instanceof AppError) return error
    throw error
  })

/** A language model's answer as a vote: of its edge nothing is known, so that no rule about edges holds it back. */
const voteOf = ({ signal, confidence, reasoning }: OpenaiAnswer): Said => ({
  forecast: {
    version: 'openai',
    signal,
    confidence,
    pUp: null,
    edgeBps: Number.POSITIVE_INFINITY,
    costBps: 0,
    volatility: Number.NaN,
    reasoning,
  },
  prediction: null,
})

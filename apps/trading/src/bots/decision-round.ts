import { AppError } from '@shapecast/contracts/errors'
import type { CandleRow } from '@shapecast/contracts/market'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { Candles } from '@shapecast/engine/candles'
import { planOf } from '@shapecast/engine/policies/plan'
import type { Decider } from '../deciders/decider.ts'
import { deciderOf } from '../deciders/deciders.ts'
import type { SymbolRules } from '../market/series-market.ts'
import { createAnswers, type DecisionSources } from './decision-answers.ts'
import type { RunningBot } from './running-bots.ts'

/** What bots need of the market. */
export interface BotMarket {
  /** The market's clock, ms; null where it has none. */
  now(): Promise<number | null>
  /** Seconds of its clock a second; 1 where it is left out. */
  readonly speed?: number | undefined
  /** The newest `limit` candles that opened up to `toMs`, oldest first. */
  load(symbol: string, timeframe: Timeframe, range: { toMs: number; limit: number }): Promise<Candles>
  rules(symbol: string): Promise<SymbolRules | null>
  /** The candle that forms, as it stands; null where it is not known. */
  forming(symbol: string, timeframe: Timeframe): CandleRow | null
  price(symbol: string): Promise<number>
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
  const rules = new Map<string, SymbolRules>()
  const answers = createAnswers(deps)

  async function load(symbol: string, fromTs: number, history: number): Promise<void> {
    const toMs = Math.min(closedTs, fromTs + MOST_CANDLES * step)
    const limit = Math.round((toMs - fromTs) / step) + history
    const known = windows.get(symbol)
    if (known !== undefined && known.length >= limit && known.ts[0]! <= fromTs) return
    windows.set(symbol, await market.load(symbol, timeframe, { toMs, limit }))
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
      for (const asked of decider.versions(plan)) await answers.askModel(one, plan, symbol, asked)
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
          speaking
            .slice(at, at + ASKED_AT_ONCE)
            .map(({ running, decider }) => answers.askDecider(running, decider, (symbol) => windows.get(symbol)!)),
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
    said: answers.said,
    saidTo: answers.saidTo,
  }
}
export type DecisionRound = ReturnType<typeof createRound>

/** A bot that this round cannot take, and why. */
export interface Waiting {
  readonly botId: string
  readonly error: AppError
}

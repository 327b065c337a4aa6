import type { AlertRule } from '@shapecast/contracts/alerts'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import type { AlertLevel } from '@shapecast/engine/alert-crossing'
import { priceWords } from '../bots/amount-words.ts'
import type { CandleSource } from '../market/series-market.ts'
import { candlesFor, conditionAt, conditionRule } from './alert-condition.ts'
import type { AlertRow } from './tables.ts'

/** How far a bot is, as alerts look at it. */
export interface WatchedBot {
  readonly userId: string
  readonly name: string
  readonly isActive: boolean
  /** Equity now, and its highest so far, quote; null where no price says so. */
  readonly equity: number | null
  readonly peak: number
  readonly timeframe: Timeframe
  /** Open time of the last candle that it decided, ms. */
  readonly decidedTs: number
}

/** What alerts look at. */
export interface Watched {
  candles: CandleSource
  /** The last price, quote per base. Throws where there is none. */
  price(symbol: string): Promise<number>
  /** What the current model says at the last close; null where it says nothing. */
  signal(symbol: string, timeframe: Timeframe): Promise<string | null>
  watchedBot(id: string): Promise<WatchedBot | null>
  /** The market's clock, ms; null where it has none yet. */
  marketNow(): Promise<number | null>
}

export interface Measured {
  /** Null where nothing can be said. */
  readonly value: number | null
  readonly lookedTs?: number
}
const NOTHING: Measured = { value: null }

/** What one kind of alert watches. Another kind is another entry below. */
interface AlertKind<Rule> {
  /** In a clause: `BTCUSDT above 70,000.00`. `botName` is of the bot that it names. */
  about(rule: Rule, botName: string): string
  /** What is said when it rings. */
  rings(value: number): string
  /** What is passed when it rings: of what is true or not, 1. */
  level(rule: Rule): AlertLevel
  /** The value that its level is held against. */
  measure(rule: Rule, row: AlertRow, at: Watched): Promise<Measured>
}

const above = (level: number): AlertLevel => ({ level, direction: 'above' })
const spanWords = (minutes: number): string => (minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`)

/** Minutes since a candle should have been there after the one that opened at `ts`. */
const minutesPast = (ts: number, timeframe: Timeframe, nowMs: number): number =>
  Math.max(0, (nowMs - ts - 2 * TIMEFRAME_MS[timeframe]) / 60_000)

const lastOf = async ({ candles }: Watched, { symbol, timeframe }: { symbol: string; timeframe: Timeframe }) =>
  (await candles.load(symbol, timeframe, { limit: 1 })).ts.at(-1)

/** Measures at a close that was not looked at yet: the same candle says the same again. */
const atNewClose =
  <Rule extends { symbol: string; timeframe: Timeframe }>(value: (rule: Rule, at: Watched) => Promise<number | null>) =>
  async (rule: Rule, { lookedTs }: AlertRow, at: Watched) => {
    const last = await lastOf(at, rule)
    return last === undefined || last === lookedTs ? NOTHING : { value: await value(rule, at), lookedTs: last }
  }

/** Null for a bot that is somebody else's by now. */
async function botOf({ watchedBot }: Watched, botId: string, { userId }: AlertRow): Promise<WatchedBot | null> {
  const bot = await watchedBot(botId)
  return bot?.userId === userId ? bot : null
}

const KINDS: { readonly [Kind in AlertRule['kind']]: AlertKind<Extract<AlertRule, { kind: Kind }>> } = {
  price: {
    about: ({ symbol, direction, price }) => `${symbol} ${direction} ${priceWords(price)}`,
    rings: (value) => `The price is ${priceWords(value)}.`,
    level: ({ price, direction }) => ({ level: price, direction }),
    measure: async ({ symbol }, _row, { price }) => ({ value: await price(symbol) }),
  },
  indicator: {
    about: ({ condition, symbol, timeframe }) => `${condition} on ${symbol} ${timeframe}`,
    rings: () => 'The condition became true at the last close.',
    level: () => above(1),
    measure: atNewClose(async ({ symbol, timeframe, condition: text }, at) => {
      const condition = conditionRule(text)
      const candles = await at.candles.load(symbol, timeframe, { limit: candlesFor(condition) })
      return conditionAt(condition, { candles, timeframe })
    }),
  },
  signal: {
    about: ({ signal, symbol, timeframe }) => `${signal} on ${symbol} ${timeframe}`,
    rings: () => 'The current model says so since the last close.',
    level: () => above(1),
    measure: atNewClose(async ({ symbol, timeframe, signal }, at) =>
      Number((await at.signal(symbol, timeframe)) === signal),
    ),
  },
  drawdown: {
    about: ({ pct }, botName) => `${botName} at a drawdown of ${pct}%`,
    rings: (value) => `Its equity is ${value.toFixed(2)}% below its highest.`,
    level: ({ pct }) => above(pct),
    async measure({ botId }, row, at) {
      const bot = await botOf(at, botId, row)
      if (bot === null || bot.equity === null || !(bot.peak > 0)) return NOTHING
      const highest = Math.max(bot.peak, bot.equity)
      return { value: (100 * (highest - bot.equity)) / highest }
    },
  },
  bot_silent: {
    about: ({ minutes }, botName) => `${botName} silent for ${spanWords(minutes)}`,
    rings: () => 'It is active and does not decide. Look at its page, and whether workers run.',
    level: ({ minutes }) => above(minutes),
    async measure({ botId }, row, at) {
      const [bot, nowMs] = [await botOf(at, botId, row), await at.marketNow()]
      if (bot === null || nowMs === null) return NOTHING
      return { value: bot.isActive ? minutesPast(bot.decidedTs, bot.timeframe, nowMs) : 0 }
    },
  },
  feed_silent: {
    about: ({ symbol, timeframe, minutes }) => `${symbol} ${timeframe} without candles for ${spanWords(minutes)}`,
    rings: () => 'Candles stopped coming. Look whether the exchange answers, and whether the feed runs.',
    level: ({ minutes }) => above(minutes),
    async measure(rule, _row, at) {
      const [nowMs, last] = [await at.marketNow(), await lastOf(at, rule)]
      return nowMs === null || last === undefined ? NOTHING : { value: minutesPast(last, rule.timeframe, nowMs) }
    },
  },
}

export const kindOf = ({ kind }: AlertRule) => KINDS[kind] as AlertKind<AlertRule>

import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { candlesFromRows } from '@shapecast/engine/candles'
import { planOf } from '@shapecast/engine/policies/plan'
import type { Bar } from '@shapecast/engine/portfolio'
import { type ActivityEntry, recordActivities } from '@shapecast/platform/activities'
import type { Database, Orm } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { lastClosedOpen } from '@shapecast/venues/venue'
import type { BotBooks, WrittenBooks } from '../ledger/bot-books.ts'
import { advanceBot, moveWithinCandle, rulesOf } from './advance-bot.ts'
import { activitiesOf, type BotNews, newsOf, statusActivity, statusNews } from './bot-news.ts'
import { changeStatuses, mayChange, type StatusChange, statusBy } from './bot-status.ts'
import type { Bookkeeper } from './decide-bot.ts'
import { type BotMarket, type DecisionRound, NotPrepared } from './decision-round.ts'
import type { RunningBot } from './running-bots.ts'
import type { BotChange, RuntimeStore } from './runtime-store.ts'
import { timeframeOf } from './timeframe-of.ts'

export interface BotRuntimeDeps {
  db: Database
  store: RuntimeStore
  books: Pick<BotBooks, 'begin' | 'write'>
  market: BotMarket
  /** Tells the owners of bots, if and only if the transaction is committed. */
  tell(tx: Orm, news: readonly BotNews[]): Promise<void>
  /** The clock of a replay, ms; null on every other market. */
  replayNow(): Promise<number | null>
  log: Logger
  now(): number
  /** Bots of one transaction; 500. */
  batch?: number
}

/**
 * Lets virtual bots trade: at each close, and at what the candle that forms reaches. It may be called at any time, by
 * any process, and broken off anywhere: a bot is changed under its lock, with its books, its decisions and how far it is
 * in one transaction. Starting up and catching up are the same as going on.
 */
export const createBotRuntime = (deps: BotRuntimeDeps) => {
  const { db, store, books, market, tell, log, now, batch = 500 } = deps

  /** One transaction over bots that nobody else is at. A bot that fails is put to `error`, and keeps no other from going on. */
  const change = (ids: string[], work: (running: RunningBot, keep: Bookkeeper) => BotChange | null): Promise<number> =>
    db.orm.transaction(async (tx) => {
      const locked = await store.lock(tx, ids)
      const balances = new Map(locked.map(({ bot, state }) => [bot.id, state.portfolio.balance]))
      const opened = await books.begin(tx, balances)
      const changes: BotChange[] = []
      const booked: WrittenBooks[] = []
      const failed: { bot: RunningBot['bot']; change: StatusChange }[] = []
      const news: BotNews[] = []
      const shown: ActivityEntry[] = []
      for (const running of locked) {
        const botId = running.bot.id
        const own = opened.get(botId)
        try {
          if (own === undefined || own instanceof Error) throw own ?? new Error('The bot has no account.')
          const made = work(running, (symbol, account) => own.journal(symbol, account))
          if (made === null) continue
          changes.push(made)
          news.push(...newsOf(made))
          shown.push(...activitiesOf(made))
          const held = made.portfolio.pairs.map(({ symbol, account: { size, entryPrice } }) => ({
            symbol,
            size,
            entryPrice,
          }))
          booked.push({ books: own, at: made.revision, held })
        } catch (error) {
          // One that failed before has said so.
          if (error instanceof NotPrepared || !mayChange(running.bot, 'failure')) continue
          log.error({ err: error, bot: botId }, 'a bot cannot go on')
          const failure = statusBy('failure', reasonOf(error))
          failed.push({ bot: running.bot, change: failure })
          news.push(...statusNews(running.bot, failure))
          shown.push(...statusActivity(running.bot, failure))
        }
      }
      await store.write(tx, changes, now())
      const placed = await books.write(tx, booked)
      await store.nameOrders(
        tx,
        placed.map((orders, k) => ({ botId: changes[k]!.bot.id, orders })),
      )
      await changeStatuses(tx, failed)
      await tell(tx, news)
      if (shown.length > 0) await recordActivities(tx, shown, await deps.replayNow())
      return changes.length
    })

  /** Takes virtual bots through a round. */
  async function decide(due: readonly RunningBot[], round: DecisionRound): Promise<number> {
    const went = await change(
      due.map(({ bot }) => bot.id),
      (running, keep) => (round.isDue(running) ? advanceBot(running, round, keep, now()) : null),
    )
    const late = due.filter((running) => round.isDue(running) && round.isLate(running.bot))
    await store.waitFor(
      late.map(({ bot }) => bot.id),
      round.closedTs,
    )
    return went
  }

  /** The forming candle of a series as a bar; where it is not known, the last price alone, for bots that only want out. */
  async function barOf(
    symbol: string,
    timeframe: Timeframe,
    nowMs: number,
  ): Promise<{ bar: Bar; forming: boolean } | null> {
    const row = market.forming(symbol, timeframe)
    if (row !== null) return { bar: { candles: candlesFromRows([row]), i: 0 }, forming: true }
    try {
      const price = await market.price(symbol)
      const ts = lastClosedOpen(timeframe, nowMs) + TIMEFRAME_MS[timeframe]
      return { bar: { candles: candlesFromRows([[ts, price, price, price, price, 0]]), i: 0 }, forming: false }
    } catch (error) {
      log.debug({ err: error, symbol }, 'no price for what bots wait for')
      return null
    }
  }

  return {
    decide,

    /** Acts on the candles that form: entries at their opens, stops, targets and liquidations that they have reached. */
    async watch(): Promise<void> {
      const nowMs = await market.now()
      if (nowMs === null) return
      for (const [timeframe, series] of Map.groupBy(await store.watched(), (one) => one.timeframe)) {
        const bars = new Map<string, { bar: Bar; forming: boolean }>()
        const ids = new Set<string>()
        for (const { symbol } of series) {
          const found = await barOf(symbol, timeframe, nowMs)
          if (found === null) continue
          bars.set(symbol, found)
          const { candles } = found.bar
          for (const id of await store.reached({ symbol, timeframe }, candles.low[0]!, candles.high[0]!)) ids.add(id)
        }
        const marketRules = new Map<string, { lotSize: number; minNotional: number }>()
        for (const symbol of bars.keys())
          marketRules.set(symbol, (await market.rules(symbol)) ?? { lotSize: 0, minNotional: 0 })
        const all = [...ids].sort()
        for (let at = 0; at < all.length; at += batch)
          await change(all.slice(at, at + batch), (running, keep) => {
            const { bot } = running
            if (bot.status === 'error' || timeframeOf(bot.parameters) !== timeframe) return null
            const plan = planOf(bot)
            const own = bot.tradingPairs.map((symbol) => bars.get(symbol))
            const rules = bot.tradingPairs.map((symbol) =>
              rulesOf(plan, timeframe, marketRules.get(symbol) ?? { lotSize: 0, minNotional: 0 }),
            )
            const usable = own.map((one) =>
              one !== undefined && (one.forming || (bot.status === 'stopped' && running.state.closing))
                ? one.bar
                : null,
            )
            return moveWithinCandle(running, rules, TIMEFRAME_MS[timeframe], usable, keep)
          })
      }
    },
  }
}
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.name === 'BooksDisagree'
    ? `Its books and its account do not agree, so it does not trade: ${error.message}`
    : 'It met an error of the program and does not trade. The log of the server has it.'

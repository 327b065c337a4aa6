import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { candlesFromRows } from '@shapecast/engine/candles'
import { planOf } from '@shapecast/engine/policies/plan'
import { type Bar, isToClose } from '@shapecast/engine/portfolio'
import { lastClosedOpen } from '@shapecast/venues/venue'
import type { BotLedger, OpenBotLedger, SteppedBot } from '../ledger/bot-ledger.ts'
import { awaitsRate } from '../market/funding/follow-funding.ts'
import type { SymbolRules } from '../market/series-market.ts'
import { NO_RULES, rulesOf } from './advance-bot.ts'
import { type Execution, type Failed, noteLate, type RuntimeDeps, runStep, type Step } from './bot-runtime.ts'
import type { Bookkeeper } from './decide-bot.ts'
import type { BotMarket } from './decision-round.ts'
import { advanceOnPaper, moveWithinCandle } from './paper-move.ts'
import type { RunningBot } from './running-bots.ts'
import type { BotChange, RuntimeStore } from './runtime-store.ts'
import { timeframeOf } from './timeframe-of.ts'

export interface PaperDeps extends RuntimeDeps {
  ledger: Pick<BotLedger, 'begin' | 'write'>
  market: BotMarket
  /** Bots of one transaction; 500. */
  batch?: number | undefined
}

/**
 * Virtual bots: the engine's step fills what they decide, and what it fills is booked in the same transaction. A bot that
 * fails keeps no other of its transaction from going on.
 */
export function createPaperExecution(deps: PaperDeps): Execution {
  return {
    async decide(due, round) {
      const ids = due.map(({ bot }) => bot.id)
      const work: Work = (running, keep) =>
        round.isDue(running) ? advanceOnPaper(running, round, keep, deps.now()) : null
      const went = await runStep(deps, paperStep(deps, ids, work))
      await noteLate(deps, due, round)
      return went
    },

    /**
     * Acts on the candles that form: entries at their opens, stops, targets and liquidations that they have reached. One
     * process does at a time.
     */
    async between() {
      const watched = await deps.store.watched()
      if (watched.length > 0) await deps.db.locks.alone('bots between closes', () => watchAll(deps, watched))
    },
  }
}

async function watchAll(deps: PaperDeps, watched: Awaited<ReturnType<RuntimeStore['watched']>>): Promise<void> {
  const nowMs = await deps.market.now()
  if (nowMs === null) return
  for (const [timeframe, series] of Map.groupBy(watched, (one) => one.timeframe)) {
    const symbols = series.map(({ symbol }) => symbol)
    await watch(deps, timeframe, symbols, nowMs)
  }
}

type Work = (running: RunningBot, keep: Bookkeeper) => BotChange | null

function paperStep({ ledger, store }: PaperDeps, botIds: readonly string[], work: Work): Step {
  const written: { change: BotChange; ledger: OpenBotLedger }[] = []
  return {
    botIds,

    async moves(tx, locked) {
      const stepped = locked.map(({ bot, state }): [string, SteppedBot] => [
        bot.id,
        { market: bot.marketType, balance: state.portfolio.balance },
      ])
      const opened = await ledger.begin(tx, new Map(stepped))
      const failed: Failed[] = []
      for (const running of locked) {
        const { bot } = running
        try {
          const own = opened.get(bot.id)
          if (own === undefined || own instanceof Error) throw own ?? new Error('The bot has no account.')
          const change = work(running, (symbol, account) => own.engine.journal(symbol, account))
          if (change !== null) written.push({ change, ledger: own })
        } catch (error) {
          failed.push({ bot, error })
        }
      }
      return { changes: written.map(({ change }) => change), failed }
    },

    async book(tx) {
      const placed = await ledger.write(
        tx,
        written.map(({ change, ledger }) => ({ ledger, at: change.revision })),
      )
      const made = placed.map((orders, k) => ({ ...written[k]!.change, orders }))
      const ofDecisions = made.map(({ bot, byHand, orders }) => ({
        botId: bot.id,
        orders: orders.filter((_, n) => byHand.every(({ fill }) => fill !== n)),
      }))
      await store.nameOrders(tx, ofDecisions)
      const ofHands = made.flatMap(({ bot, byHand, orders }) =>
        byHand.map(({ fill, ...hand }) => ({
          ...hand,
          botId: bot.id,
          orderId: fill === null ? null : orders[fill]!.orderId,
        })),
      )
      await store.keepByHand(tx, ofHands)
    },
  }
}

interface FormingBar {
  readonly bar: Bar
  /** False where only the last price is known, which is for bots that only want out, and for what a person asked for. */
  readonly isForming: boolean
}

async function barOf({ market, log }: PaperDeps, symbol: string, timeframe: Timeframe, nowMs: number) {
  const row = market.forming(symbol, timeframe)
  if (row !== null) return { bar: { candles: candlesFromRows([row]), i: 0 }, isForming: true }
  try {
    const price = await market.price(symbol)
    const ts = lastClosedOpen(timeframe, nowMs) + TIMEFRAME_MS[timeframe]
    return { bar: { candles: candlesFromRows([[ts, price, price, price, price, 0]]), i: 0 }, isForming: false }
  } catch (error) {
    log.debug({ err: error, symbol }, 'no price for what bots wait for')
    return null
  }
}

/** Lets those bots of a timeframe act that the forming candles of these symbols concern. */
async function watch(deps: PaperDeps, timeframe: Timeframe, symbols: readonly string[], nowMs: number): Promise<void> {
  const { market, store, batch = 500 } = deps
  const bars = new Map<string, FormingBar>()
  const rules = new Map<string, SymbolRules>()
  const ids = new Set<string>()
  for (const symbol of symbols) {
    const found = await barOf(deps, symbol, timeframe, nowMs)
    if (found === null) continue
    bars.set(symbol, found)
    const { low, high } = found.bar.candles
    for (const id of await store.reached({ symbol, timeframe }, low[0]!, high[0]!)) ids.add(id)
    rules.set(symbol, (await market.rules(symbol)) ?? NO_RULES)
  }
  const work: Work = (running, keep) => {
    const { bot, state } = running
    if (bot.status === 'error' || timeframeOf(bot.parameters) !== timeframe) return null
    const plan = planOf(bot)
    const own = bot.tradingPairs.map((symbol) => rulesOf(plan, timeframe, rules.get(symbol) ?? NO_RULES))
    const sells = bot.status === 'stopped' && state.closing
    const usable = state.portfolio.pairs.map((pair) => {
      const found = bars.get(pair.symbol)
      const { funding = null } = rules.get(pair.symbol) ?? {}
      if (bot.marketType === 'futures' && found && awaitsRate(funding, found.bar.candles.ts[0]!, nowMs)) return null
      // What waits for an open cannot be filled at the last price.
      const waits = pair.pending !== null || pair.account.resting !== undefined
      const isWished = pair.byHand !== undefined && !waits
      return found?.isForming || sells || isToClose(pair) || isWished ? (found?.bar ?? null) : null
    })
    return moveWithinCandle(running, own, TIMEFRAME_MS[timeframe], usable, keep)
  }
  const all = [...ids].sort()
  for (let at = 0; at < all.length; at += batch) await runStep(deps, paperStep(deps, all.slice(at, at + batch), work))
}

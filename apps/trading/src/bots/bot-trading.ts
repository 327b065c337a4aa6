import { AppError } from '@shapecast/contracts/errors'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { DECISION } from '@shapecast/engine/decisions'
import { planOf } from '@shapecast/engine/policies/plan'
import {
  copyPortfolio,
  createPortfolio,
  type HandTarget,
  isToClose,
  type Portfolio,
  portfolioEquity,
  takeBackOrders,
} from '@shapecast/engine/portfolio'
import { setStops } from '@shapecast/engine/position'
import type { Orm } from '@shapecast/platform/database/database'
import { lastClosedOpen } from '@shapecast/venues/venue'
import { isOpen, rulesOf, watchesOf } from './advance-bot.ts'
import type { WantedModel } from './bot-ability.ts'
import type { BotsContext } from './bots-context.ts'
import { takenBack, withoutWishes } from './hand-wishes.ts'
import { dayLossOf, dayOf } from './loss-limits.ts'
import { dropPins, isFlat, type Pin, type PredictsNow, pinOf, readPins, savePins } from './pinned-models.ts'
import type { BotRow, FuturesState, RealState } from './tables.ts'
import { timeframeOf } from './timeframe-of.ts'

export type BotTradingDeps = Pick<BotsContext, 'states' | 'runtime' | 'marketNow' | 'now'>

/** What a bot with real money begins with: the account at the exchange, and coins there that are none of ours. */
export interface RealEntry {
  readonly keyMark: string
  readonly foreign: Readonly<Record<string, number>>
  /** On futures: the market's time up to which the exchange was asked, ms. */
  readonly takenMs?: number
}

/** Stops and targets of what a virtual bot holds by its settings; `are` false takes them away: it is kept as it is. */
function placeStops(portfolio: Portfolio, bot: BotRow, are: boolean): void {
  const plan = planOf(bot)
  const rules = rulesOf(plan, timeframeOf(bot.parameters), { lotSize: 0, minNotional: 0 })
  const none = { takeProfitPct: 0, stopLossPct: 0, trailingStopPct: 0 }
  for (const { account } of portfolio.pairs) if (account.side !== 0) setStops(account, rules, are ? rules : none)
}

/** The state of a bot as it is stored. */
const savingOf = ({ states, runtime, now }: BotTradingDeps) => {
  const save = async (tx: Orm, bot: BotRow, portfolio: Portfolio, closing: boolean): Promise<void> => {
    const state = (await states.state(bot.id, tx))!
    await states.saveState(tx, { ...state, portfolio, closing, revision: state.revision + 1 })
    const step = TIMEFRAME_MS[timeframeOf(bot.parameters)]
    const due = bot.isVirtual ? watchesOf(portfolio, planOf(bot), closing, step) : []
    await runtime.watch(tx, [{ bot, watches: due }])
  }

  /**
   * Pins the models that a bot trades on. One that was stopped takes the newest; what holds something, or was only
   * paused, goes on with those that it has. Throws why there is no model where it has none.
   */
  async function pin(tx: Orm, bot: BotRow, keeps: boolean, wanted: readonly WantedModel[]): Promise<void> {
    const before = await readPins(tx, bot.id)
    const pins = wanted.flatMap(({ found, ...of }) => {
      if (keeps && pinOf(before, of)?.model) return []
      if (found instanceof AppError) throw found
      return { ...of, botId: bot.id, model: found, takesNext: false }
    })
    await savePins(tx, pins, now())
  }
  return { save, pin }
}

/** The models that a bot has pinned. */
const modelsOf = ({ states, now }: BotTradingDeps) => ({
  /**
   * Pins what predicts now for each model that a bot is offered; where a pair holds something, and not with `now`, it is
   * taken once that is sold. Answers those that it was offered.
   */
  async takeModels(tx: Orm, bot: BotRow, atOnce: boolean, newest: PredictsNow): Promise<Pin[]> {
    const portfolio = (await states.state(bot.id, tx))?.portfolio
    const offered = (await readPins(tx, bot.id)).flatMap((pin) => {
      const model = newest(pin.asked, pin.symbol, pin.timeframe)
      if (model === undefined || model.artifactId === pin.model?.artifactId) return []
      const takes = atOnce || portfolio === undefined || isFlat(portfolio, planOf(bot), pin.symbol)
      return { ...pin, botId: bot.id, model: takes ? model : pin.model, takesNext: !takes }
    })
    await savePins(tx, offered, now())
    return offered
  },

  dropModels: (tx: Orm, bot: BotRow, kept: readonly (string | null)[]): Promise<void> => dropPins(tx, bot.id, kept),
})

/** What of a position is kept or closed. */
const holdingOf = ({ states, runtime }: BotTradingDeps, { save }: ReturnType<typeof savingOf>) => {
  /** Orders of the last decision that still wait for an open are taken back, and what a person had rebalanced, which says so. */
  const withoutOrders = async (tx: Orm, bot: BotRow, before: Portfolio): Promise<Portfolio> => {
    await runtime.keepByHand(tx, takenBack(bot, before))
    const portfolio = copyPortfolio(before)
    takeBackOrders(portfolio)
    return portfolio
  }
  return {
    /** Takes back what was decided and not done yet: a paused bot opens nothing. */
    async rest(tx: Orm, bot: BotRow): Promise<void> {
      const state = await states.state(bot.id, tx)
      if (state !== undefined) await save(tx, bot, await withoutOrders(tx, bot, state.portfolio), false)
    },

    /** Has what is held closed at the next price. */
    async close(tx: Orm, bot: BotRow): Promise<void> {
      const state = await states.state(bot.id, tx)
      if (state === undefined) return
      await save(tx, bot, await withoutOrders(tx, bot, state.portfolio), true)
    },

    /** Has the position of one pair closed at the next price, and the bot go on; false where that was told already. */
    async closeByHand(tx: Orm, bot: BotRow, symbol: string): Promise<boolean> {
      const state = (await states.state(bot.id, tx))!
      const portfolio = copyPortfolio(state.portfolio)
      const pair = portfolio.pairs.find((each) => each.symbol === symbol)!
      if (state.closing || isToClose(pair)) return false
      pair.toClose = pair.account.entryTime
      pair.byHand = undefined
      await save(tx, bot, portfolio, false)
      return true
    },

    /** Has pairs brought to these targets at the next price, and the bot go on. */
    async rebalance(tx: Orm, bot: BotRow, wishes: ReadonlyMap<string, HandTarget>): Promise<void> {
      const portfolio = copyPortfolio((await states.state(bot.id, tx))!.portfolio)
      for (const pair of portfolio.pairs) pair.byHand = wishes.get(pair.symbol)
      await save(tx, bot, portfolio, false)
    },

    /** Keeps what is held: nothing of ours acts on it before a start, of a virtual bot on futures but its liquidation. */
    async keep(tx: Orm, bot: BotRow): Promise<void> {
      const state = await states.state(bot.id, tx)
      if (state === undefined) return
      const portfolio = { ...(await withoutOrders(tx, bot, state.portfolio)), haltedAt: -1 }
      for (const pair of portfolio.pairs) pair.toClose = undefined
      if (bot.isVirtual) placeStops(portfolio, bot, false)
      await save(tx, bot, portfolio, false)
    },

    /** What it holds, base, and whether that is being closed. */
    async held(tx: Orm, bot: BotRow): Promise<{ positions: { symbol: string; quantity: number }[]; closing: boolean }> {
      const state = await states.state(bot.id, tx)
      const open = state?.portfolio.pairs.filter(({ account }) => account.side !== 0) ?? []
      return {
        positions: open.map(({ symbol, account }) => ({ symbol, quantity: Math.abs(account.size) })),
        closing: state?.closing ?? false,
      }
    },
  }
}

/** A bot's trading begins, rests, ends and is put back; give each the transaction that holds the bot's lock. */
export const createBotTrading = (deps: BotTradingDeps) => {
  const { states, marketNow, now } = deps
  const shared = savingOf(deps)
  const { save, pin } = shared

  return {
    ...modelsOf(deps),

    ...holdingOf(deps, shared),

    /**
     * Makes a bot ready to decide at the next close. One that was stopped has missed nothing; one that was paused or
     * broken goes on where it was, one that kept its position with that. Each measures its drawdown from what it has now; a
     * position that its limit has not closed yet is closed. Throws `conflict` while a stopped bot's position is still being
     * closed, and where one with real money has lost today what it may lose a day. That one needs its `entry`. What it trades on
     * is pinned.
     */
    async begin(tx: Orm, bot: BotRow, entry: RealEntry | null, models: readonly WantedModel[]): Promise<void> {
      const state = await states.state(bot.id, tx)
      const timeframe = timeframeOf(bot.parameters)
      const portfolio = withoutWishes(state?.portfolio ?? createPortfolio(bot.initialBalance, bot.tradingPairs))
      const isClosing = state?.closing || (!bot.isVirtual && portfolio.haltedAt >= 0)
      if (isClosing && isOpen(portfolio))
        throw new AppError('conflict', `${bot.name} is still closing its position. Try again in a moment.`)
      const flat = planOf(bot).targets === undefined ? DECISION.CLOSE : 0
      if (portfolio.haltedAt >= 0) for (const pair of portfolio.pairs) if (pair.account.side !== 0) pair.pending = flat
      portfolio.peak = portfolio.equity
      portfolio.haltedAt = -1
      if (bot.isVirtual && bot.status === 'stopped') placeStops(portfolio, bot, true)
      const nowMs = (await marketNow()) ?? now()
      const closedTs = lastClosedOpen(timeframe, nowMs)
      const equity = portfolioEquity(portfolio)
      const begun = {
        botId: bot.id,
        timeframe,
        decidedTs: state === undefined || bot.status === 'stopped' ? closedTs : state.decidedTs,
        portfolio,
        worstDrawdownPct: state?.worstDrawdownPct ?? 0,
        real:
          entry === null ? null : realState(entry, dayOf(state?.real?.day, equity, nowMs), now(), state?.real?.futures),
      }
      const lost = begun.real === null ? null : dayLossOf(bot, begun.real.day, equity)
      if (lost !== null)
        throw new AppError('conflict', `${lost}: start it after 00:00 UTC, or change that limit.`, {
          field: 'parameters.limits.maxDayLoss',
        })
      await states.saveState(tx, begun)
      await save(tx, bot, portfolio, false)
      await pin(tx, bot, bot.status !== 'stopped' || isOpen(portfolio), models)
    },

    /** Puts the balance back to the initial one, and deletes trades, decisions and the equity curve. */
    async reset(tx: Orm, bot: BotRow): Promise<void> {
      const state = await states.state(bot.id, tx)
      if (state !== undefined && isOpen(state.portfolio))
        throw new AppError(
          'conflict',
          state.closing
            ? `${bot.name} is still closing its position. Try again in a moment.`
            : `${bot.name} has kept its position. Sell it first: stop the bot again with position "sell".`,
        )
      await states.reset(tx, bot, now())
    },
  }
}

export type BotTrading = ReturnType<typeof createBotTrading>

const realState = (
  { keyMark, foreign, takenMs }: RealEntry,
  day: RealState['day'],
  nowMs: number,
  before: FuturesState | undefined,
): RealState => ({
  keyMark,
  foreign,
  day,
  checkedAtMs: nowMs,
  retryAtMs: 0,
  ...(takenMs === undefined
    ? {}
    : { futures: { ...(before ?? { owedMs: 0, liquidation: {}, charged: {} }), takenMs } }),
})

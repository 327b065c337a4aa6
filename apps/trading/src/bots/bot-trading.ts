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
import { bound } from '../ground/bound.ts'
import { isOpen, NO_RULES, rulesOf, watchesOf } from './advance-bot.ts'
import type { WantedModel } from './bot-ability.ts'
import type { BotsContext } from './bots-context.ts'
import { takenBack, withoutWishes } from './hand-wishes.ts'
import { dayLossOf, dayOf } from './loss-limits.ts'
import { isFlat, type Pin, type PredictsNow, pinOf, readPins, savePins } from './pinned-models.ts'
import type { BotRow, botStates, FuturesState, RealState } from './tables.ts'
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
  const rules = rulesOf(plan, timeframeOf(bot.parameters), NO_RULES)
  const none = { takeProfitPct: 0, stopLossPct: 0, trailingStopPct: 0 }
  for (const { account } of portfolio.pairs) if (account.side !== 0) setStops(account, rules, are ? rules : none)
}

/** Saves how far a bot is, and what is to be watched for from now on. */
async function save(
  { states, runtime }: BotTradingDeps,
  tx: Orm,
  bot: BotRow,
  state: typeof botStates.$inferInsert & { readonly closing: boolean },
): Promise<void> {
  const { portfolio, closing, revision = 0 } = state
  await states.saveState(tx, { ...state, revision: revision + 1 })
  const step = TIMEFRAME_MS[timeframeOf(bot.parameters)]
  const due = bot.isVirtual ? watchesOf(portfolio, planOf(bot), closing, step) : []
  await runtime.watch(tx, [{ bot, watches: due }])
}

/**
 * Takes back what was decided and not done yet, and what a person had rebalanced, which says so: a bot that `rests` opens
 * nothing, one that `closes` has what it holds closed at the next price, and on what it `keeps` nothing of ours acts before
 * a start, of a virtual bot on futures but its liquidation.
 */
async function settle(ctx: BotTradingDeps, tx: Orm, bot: BotRow, then: 'rests' | 'closes' | 'keeps'): Promise<void> {
  const state = await ctx.states.state(bot.id, tx)
  if (state === undefined) return
  await ctx.runtime.keepByHand(tx, takenBack(bot, state.portfolio))
  const portfolio = copyPortfolio(state.portfolio)
  takeBackOrders(portfolio)
  if (then === 'keeps') {
    portfolio.haltedAt = -1
    for (const pair of portfolio.pairs) pair.toClose = undefined
    if (bot.isVirtual) placeStops(portfolio, bot, false)
  }
  await save(ctx, tx, bot, { ...state, portfolio, closing: then === 'closes' })
}

/** Has the position of one pair closed at the next price, and the bot go on; false where that was told already. */
async function closeByHand(ctx: BotTradingDeps, tx: Orm, bot: BotRow, symbol: string): Promise<boolean> {
  const state = (await ctx.states.state(bot.id, tx))!
  const portfolio = copyPortfolio(state.portfolio)
  const pair = portfolio.pairs.find((each) => each.symbol === symbol)!
  if (state.closing || isToClose(pair)) return false
  pair.toClose = pair.account.entryTime
  pair.byHand = undefined
  await save(ctx, tx, bot, { ...state, portfolio, closing: false })
  return true
}

/** Has pairs brought to these targets at the next price, and the bot go on. */
async function rebalance(
  ctx: BotTradingDeps,
  tx: Orm,
  bot: BotRow,
  wishes: ReadonlyMap<string, HandTarget>,
): Promise<void> {
  const state = (await ctx.states.state(bot.id, tx))!
  const portfolio = copyPortfolio(state.portfolio)
  for (const pair of portfolio.pairs) pair.byHand = wishes.get(pair.symbol)
  await save(ctx, tx, bot, { ...state, portfolio, closing: false })
}

/** What it holds, base, and whether that is being closed. */
async function held({ states }: BotTradingDeps, tx: Orm, bot: BotRow) {
  const state = await states.state(bot.id, tx)
  const open = state?.portfolio.pairs.filter(({ account }) => account.side !== 0) ?? []
  return {
    positions: open.map(({ symbol, account }) => ({ symbol, quantity: Math.abs(account.size) })),
    closing: state?.closing ?? false,
  }
}

/**
 * Pins what predicts now for each model that a bot is offered; where a pair holds something, and not with `atOnce`, it is
 * taken once that is sold. Answers those that it was offered.
 */
async function takeModels(
  { states, now }: BotTradingDeps,
  tx: Orm,
  bot: BotRow,
  atOnce: boolean,
  newest: PredictsNow,
): Promise<Pin[]> {
  const portfolio = (await states.state(bot.id, tx))?.portfolio
  const offered = (await readPins(tx, bot.id)).flatMap((pin) => {
    const model = newest(pin.asked, pin.symbol, pin.timeframe)
    if (model === undefined || model.artifactId === pin.model?.artifactId) return []
    const takes = atOnce || portfolio === undefined || isFlat(portfolio, planOf(bot), pin.symbol)
    return { ...pin, botId: bot.id, model: takes ? model : pin.model, takesNext: !takes }
  })
  await savePins(tx, offered, now())
  return offered
}

/**
 * Pins the models that a bot trades on. One that was stopped takes the newest; what holds something, or was only
 * paused, goes on with those that it has. Throws why there is no model where it has none.
 */
async function pin(tx: Orm, bot: BotRow, keeps: boolean, wanted: readonly WantedModel[], nowMs: number): Promise<void> {
  const before = await readPins(tx, bot.id)
  const pins = wanted.flatMap(({ found, ...of }) => {
    if (keeps && pinOf(before, of)?.model) return []
    if (found instanceof AppError) throw found
    return { ...of, botId: bot.id, model: found, takesNext: false }
  })
  await savePins(tx, pins, nowMs)
}

/**
 * Makes a bot ready to decide at the next close. One that was stopped has missed nothing; one that was paused or
 * broken goes on where it was, one that kept its position with that. Each measures its drawdown from what it has now; a
 * position that its limit has not closed yet is closed. Throws `conflict` while a stopped bot's position is still being
 * closed, and where one with real money has lost today what it may lose a day. That one needs its `entry`. What it trades on
 * is pinned.
 */
async function begin(
  ctx: BotTradingDeps,
  tx: Orm,
  bot: BotRow,
  entry: RealEntry | null,
  models: readonly WantedModel[],
): Promise<void> {
  const state = await ctx.states.state(bot.id, tx)
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
  const nowMs = (await ctx.marketNow()) ?? ctx.now()
  const equity = portfolioEquity(portfolio)
  const day = dayOf(state?.real?.day, equity, nowMs)
  const lost = entry === null ? null : dayLossOf(bot, day, equity)
  if (lost !== null)
    throw new AppError('conflict', `${lost}: start it after 00:00 UTC, or change that limit.`, {
      field: 'parameters.limits.maxDayLoss',
    })
  await save(ctx, tx, bot, {
    botId: bot.id,
    timeframe,
    decidedTs: state === undefined || bot.status === 'stopped' ? lastClosedOpen(timeframe, nowMs) : state.decidedTs,
    revision: state?.revision ?? 0,
    closing: false,
    portfolio,
    worstDrawdownPct: state?.worstDrawdownPct ?? 0,
    real: entry === null ? null : realState(entry, day, ctx.now(), state?.real?.futures),
  })
  await pin(tx, bot, bot.status !== 'stopped' || isOpen(portfolio), models, ctx.now())
}

/** Puts the balance back to the initial one, and deletes trades, decisions and the equity curve. */
async function reset({ states, now }: BotTradingDeps, tx: Orm, bot: BotRow): Promise<void> {
  const state = await states.state(bot.id, tx)
  if (state !== undefined && isOpen(state.portfolio))
    throw new AppError(
      'conflict',
      state.closing
        ? `${bot.name} is still closing its position. Try again in a moment.`
        : `${bot.name} has kept its position. Sell it first: stop the bot again with position "sell".`,
    )
  await states.reset(tx, bot, now())
}

/** A bot's trading begins, rests, ends and is put back; give each the transaction that holds the bot's lock. */
export const createBotTrading = (ctx: BotTradingDeps) =>
  bound(ctx, { begin, settle, closeByHand, rebalance, held, takeModels, reset })

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

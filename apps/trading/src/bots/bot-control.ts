import type { Bot, BotRecord } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import { REAL_MONEY_WORDS } from '@shapecast/contracts/real-bots'
import { recordActivity } from '@shapecast/platform/activities'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { KeyedRequest } from '@shapecast/platform/http/keyed-request'
import type { Caller, Member } from '@shapecast/platform/sessions'
import { bound } from '../ground/bound.ts'
import { modelsFor } from './bot-ability.ts'
import type { BotControlDeps } from './bot-lock.ts'
import { locked, requireStopped, valuesOf } from './bot-lock.ts'
import { botActivity } from './bot-news.ts'
import { requireChange } from './bot-rights.ts'
import { patch, takeModel } from './bot-settings.ts'
import { changeStatuses, mayChange, requireMayChange, STATUS_CHANGES, statusBy } from './bot-status.ts'
import type { BotChanges } from './bot-store.ts'
import type { BotRow } from './tables.ts'

/** What people do with a bot's status. */
type Act = 'start' | 'pause' | 'stop' | 'sell_kept' | 'reset'

/** Starts, pauses, stops, resets and changes bots: each under the bot's lock, by its owner or an admin, and on record. */
export const createBotControl = (ctx: BotControlDeps) =>
  bound(ctx, { start, pause, stop, closePosition, rebalance, stopAllOf, takeModel, reset, patch })

/** One change of a bot's status, from its lock to the feed; `work` says its cause, and what else it changes. */
function act(
  ctx: BotControlDeps,
  id: string,
  member: Member,
  work: (tx: Orm, bot: BotRow) => Promise<{ cause: Act; detail?: string | null; after?: BotChanges }>,
): Promise<Bot> {
  return locked(ctx, id, member, async (tx, bot) => {
    const { cause, detail, after = {} } = await work(tx, bot)
    if (Object.keys(after).length > 0) await ctx.bots.update(tx, id, after)
    const by = { doer: member, before: valuesOf(bot, after), after }
    await changeStatuses(tx, [{ bot, change: statusBy(cause, detail) }], by)
    const { activity } = STATUS_CHANGES[cause]
    await recordActivity(tx, botActivity(bot, activity, member.userId), await ctx.replayNow())
  })
}

function requireLasting(bot: BotRecord): void {
  if (bot.parameters?.temporary)
    throw new AppError('unprocessable', 'A temporary bot is made for one backtest and cannot trade.')
}

function requireWords(confirm: string | undefined, why: string): void {
  if (confirm !== REAL_MONEY_WORDS) throw new AppError('unprocessable', why, { field: 'confirm' })
}

/** Throws where this person may not let a bot trade real money, or has not said that they mean to. */
async function requireMeant(
  { real }: BotControlDeps,
  bot: BotRecord,
  caller: Caller,
  confirm: string | undefined,
): Promise<void> {
  if (caller.role !== 'admin' || caller.userId !== bot.userId)
    throw new AppError(
      'forbidden',
      'A bot with real money trades with the API key of its owner: only its owner starts it, and has to be an admin.',
    )
  requireWords(confirm, `This bot trades real money. Write "${REAL_MONEY_WORDS}" to start it.`)
  await real.requireConfirmed(caller.sid)
}

/**
 * Starts a bot that is not active: its first decision is at the next close. What it holds stays. Throws `conflict`
 * where it is active, and `unprocessable`, `model_not_trained` or `unknown_symbol` where it could not decide. With
 * real money also `forbidden`, `unprocessable` and `confirmation_required` where its owner has not confirmed it.
 */
async function start(ctx: BotControlDeps, id: string, caller: Caller, confirm?: string): Promise<Bot> {
  const { bots, trading, real } = ctx
  // Models are looked up before the lock is taken: that may take a while.
  const seen = await bots.find(id)
  requireChange(seen, caller)
  if (!seen.isVirtual) await requireMeant(ctx, seen, caller, confirm)
  requireLasting(seen)
  const models = seen.status === 'active' ? [] : await modelsFor(ctx, seen)
  if (seen.status !== 'active') await ctx.fetchHistory?.(seen, caller)
  const entry = seen.isVirtual || seen.status === 'active' ? null : await real.look(seen)
  return act(ctx, id, caller, async (tx, bot) => {
    requireMayChange(bot, 'start')
    await trading.begin(tx, bot, entry, models)
    if (!bot.isVirtual) {
      await real.enter(tx, bot)
      await real.requireAllowed(tx)
    }
    return { cause: 'start' }
  })
}

/** Pauses an active bot. Throws `conflict` for another. */
function pause(ctx: BotControlDeps, id: string, member: Member): Promise<Bot> {
  return act(ctx, id, member, async (tx, bot) => {
    requireMayChange(bot, 'pause')
    await ctx.trading.settle(tx, bot, 'rests')
    return { cause: 'pause' }
  })
}

/**
 * Stops a bot, and closes what it holds at the next price or keeps it; one that is stopped and kept its position can
 * be told to sell it. Throws `conflict` where it is stopped already, and `unprocessable` where it holds something for
 * real money and its sale was not confirmed.
 */
function stop(
  ctx: BotControlDeps,
  id: string,
  member: Member,
  confirm?: string,
  position: 'sell' | 'keep' = 'sell',
): Promise<Bot> {
  const { trading } = ctx
  return act(ctx, id, member, async (tx, bot) => {
    const { positions, closing } = await trading.held(tx, bot)
    const holds = positions.length > 0
    const sellsKept = bot.status === 'stopped' && holds && position === 'sell' && !(bot.isVirtual && closing)
    const cause = sellsKept ? 'sell_kept' : 'stop'
    requireMayChange(bot, cause)
    if (position === 'keep') {
      await trading.settle(tx, bot, 'keeps')
      return { cause, detail: holds ? keptBy(bot, positions) : null }
    }
    if (!bot.isVirtual && holds)
      requireWords(
        confirm,
        `Stopping closes what this bot holds, at the market. Write "${REAL_MONEY_WORDS}" to do that, or stop it with position "keep": then it keeps its position, and its stop-loss at the exchange.`,
      )
    await trading.settle(tx, bot, 'closes')
    return { cause }
  })
}

/**
 * Has the position of a bot in one pair closed at the next price; the bot goes on. What is told twice is done once, and
 * under the same key nothing else is ever done. Throws `conflict` where it holds nothing of the pair or has met an error,
 * and `unprocessable` for real money without the words.
 */
function closePosition(
  ctx: BotControlDeps,
  id: string,
  { symbol, confirm }: { readonly symbol: string; readonly confirm?: string | undefined },
  { member, request }: { readonly member: Member; readonly request: KeyedRequest | null },
): Promise<Bot> {
  const { replies, trading, now } = ctx
  return locked(ctx, id, member, async (tx, bot) => {
    if ((await replies.before(tx, member.userId, request)) !== undefined) return
    if (bot.status === 'error')
      throw new AppError('conflict', `${bot.name} has met an error and does nothing. Start it again, or stop it.`)
    const position = (await trading.held(tx, bot)).positions.find((held) => held.symbol === symbol)
    if (position === undefined) throw new AppError('conflict', `${bot.name} holds no ${symbol} by now.`)
    if (!bot.isVirtual)
      requireWords(confirm, `This closes real money at the market. Write "${REAL_MONEY_WORDS}" to do that.`)
    if (await trading.closeByHand(tx, bot, symbol))
      await recordAudit(tx, member, {
        action: 'bot.position_closed',
        subject: { type: 'bot', id },
        after: { ...position, status: bot.status },
      })
    await replies.keep(tx, member.userId, request, {}, now())
  })
}

/**
 * Has the pairs of a bot brought to their targets at the next price; the bot goes on. What is told twice is done once, and
 * under the same key nothing else is ever done. Throws `conflict` where that may not be now or there is nothing to do, and
 * for real money `unprocessable` without the words and `confirmation_required` without proof, where the policy asks for it.
 */
async function rebalance(
  ctx: BotControlDeps,
  id: string,
  confirm: string | undefined,
  { member, request }: { readonly member: Caller; readonly request: KeyedRequest | null },
): Promise<Bot> {
  const { bots, replies, trading, real, now } = ctx
  const seen = await bots.find(id)
  requireChange(seen, member)
  if (!seen.isVirtual) requireWords(confirm, `This trades real money. Write "${REAL_MONEY_WORDS}" to do that.`)
  if (!seen.isVirtual) await real.requireConfirmed(member.sid)
  const plan = await ctx.planRebalance(seen)
  return locked(ctx, id, member, async (tx, bot) => {
    if ((await replies.before(tx, member.userId, request)) !== undefined) return
    const { isAsked, obstacle, orders, left, wishes } = await plan(tx, bot)
    if (!isAsked) {
      if (obstacle !== null) throw new AppError('conflict', `${bot.name} is not rebalanced now. ${obstacle}`)
      if (orders.length === 0)
        throw new AppError(
          'conflict',
          `There is nothing to do: no pair of ${bot.name} is further from its target than the smallest order.`,
        )
      await trading.rebalance(tx, bot, wishes)
      await recordAudit(tx, member, {
        action: 'bot.rebalanced',
        subject: { type: 'bot', id },
        after: { orders, left },
      })
    }
    await replies.keep(tx, member.userId, request, {}, now())
  })
}

/**
 * Stops every bot of somebody who leaves, as part of a transaction. Throws `conflict` while one of them trades real
 * money, or has kept a position in it.
 */
async function stopAllOf({ bots, trading }: BotControlDeps, tx: Orm, userId: string): Promise<void> {
  for (const bot of await bots.lockRunning(tx, userId)) {
    const isStopped = !mayChange(bot, 'owner_leaves')
    if (!bot.isVirtual && !isStopped)
      throw new AppError('conflict', `Stop ${bot.name} first: it trades real money, and would go on without you.`)
    const { positions, closing } = await trading.held(tx, bot)
    // One that was told to sell and cannot, since its coins are gone, can be let go.
    if (isStopped && positions.length > 0 && !closing)
      throw new AppError('conflict', `Have ${bot.name} sell what it has kept first: that is real money.`)
    if (isStopped) continue
    await trading.settle(tx, bot, 'closes')
    await changeStatuses(tx, [{ bot, change: statusBy('owner_leaves') }], { doer: { userId, address: null } })
  }
}

/** Puts a stopped virtual bot back to its initial balance. Throws `conflict` where it is not stopped. */
function reset(ctx: BotControlDeps, id: string, member: Member): Promise<Bot> {
  return act(ctx, id, member, async (tx, bot) => {
    if (!bot.isVirtual) throw new AppError('unprocessable', 'Real money cannot be reset.')
    requireStopped(bot)
    await ctx.trading.reset(tx, bot)
    return { cause: 'reset', after: { totalTrades: 0, winningTrades: 0, closedPnL: 0, lastTradeAt: null } }
  })
}

/** Why a stopped bot still holds something. */
function keptBy({ isVirtual, marketType }: BotRow, positions: readonly { symbol: string; quantity: number }[]): string {
  const held = positions.map(({ symbol, quantity }) => `${Number(quantity.toFixed(8))} ${symbol}`).join(' and ')
  if (!isVirtual)
    return `It keeps ${held}, with the stop-loss and take profit that stand at the exchange. Nothing else acts on it until the bot is started or told to sell.`
  const liquidated = marketType === 'futures' ? ', but it can be liquidated' : ''
  return `It keeps ${held}. No stop-loss and no take profit acts on it${liquidated}, until the bot is started or told to sell.`
}

export type BotControl = ReturnType<typeof createBotControl>

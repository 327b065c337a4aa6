import { isDeepStrictEqual } from 'node:util'
import type { Bot, BotPatch } from '@shapecast/contracts/bots'
import { costsObstacle } from '@shapecast/contracts/costs'
import { AppError } from '@shapecast/contracts/errors'
import { policyObstacle, wrongDrawdown } from '@shapecast/contracts/policies'
import { realBotLimitsOf } from '@shapecast/contracts/real-bots'
import { planOf } from '@shapecast/engine/policies/plan'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { Caller, Member } from '@shapecast/platform/sessions'
import { DECIDERS } from '../deciders/deciders.ts'
import { type BotControlDeps, locked, requireStopped, valuesOf } from './bot-lock.ts'
import { holdBotsOf, requireFreeName } from './bot-names.ts'
import { requireChange } from './bot-rights.ts'
import type { BotChanges } from './bot-store.ts'
import { namedParameters } from './named-parameters.ts'
import { dropPins } from './pinned-models.ts'
import type { BotRow } from './tables.ts'
import { timeframeOf } from './timeframe-of.ts'

/** What may change while a bot trades: the rest decides what its money does, and waits until it is stopped. */
const CHANGED_ANY_TIME = ['name', 'description', 'visibility', 'mlModelVersion'] as const

/** Says nothing about money. */
const HARMLESS: ReadonlySet<string> = new Set(['name', 'description', 'visibility'])
/** Lower is less. */
const AMOUNTS: ReadonlySet<string> = new Set(['positionSize', 'maxDrawdown', 'leverage'])

/** Whether parameters differ in no more than whether the bot is paused once it is told to be worse than holding. */
const leavesTrades = (before: BotRow['parameters'], after: BotPatch['parameters']): boolean =>
  isDeepStrictEqual({ ...before, pauseWhenWorse: null }, { ...after, pauseWhenWorse: null })

/** Whether parameters differ in more than limits that are lower and a pause that is added. */
function parametersRiskMore(before: BotRow['parameters'], after: BotPatch['parameters']): boolean {
  const old = realBotLimitsOf(before)
  const wanted = realBotLimitsOf(after ?? null)
  if ((Object.keys(old) as (keyof typeof old)[]).some((name) => wanted[name] > old[name])) return true
  if (before?.pauseWhenWorse === true && after?.pauseWhenWorse !== true) return true
  const rest = { limits: null, pauseWhenWorse: null }
  return !isDeepStrictEqual({ ...before, ...rest }, { ...after, ...rest })
}

/** Whether a change lets a bot risk more than before, or something else: all but names and lower limits. */
const risksMore = (bot: BotRow, patch: BotPatch): boolean =>
  (Object.entries(patch) as [keyof BotPatch, unknown][]).some(([name, value]) => {
    if (value === undefined || HARMLESS.has(name)) return false
    if (name === 'parameters') return parametersRiskMore(bot.parameters, patch.parameters)
    return AMOUNTS.has(name) ? (value as number) > (bot[name] as number) : value !== bot[name]
  })

/** One change of a bot's settings, from its lock to its audit. */
function change(
  ctx: BotControlDeps,
  id: string,
  member: Member,
  action: `bot.${string}`,
  work: (tx: Orm, bot: BotRow) => Promise<BotChanges>,
): Promise<Bot> {
  return locked(ctx, id, member, async (tx, bot) => {
    const after = await work(tx, bot)
    if (Object.keys(after).length > 0) await ctx.bots.update(tx, id, after)
    await recordAudit(tx, member, { action, subject: { type: 'bot', id }, before: valuesOf(bot, after), after })
  })
}

/**
 * Has a bot trade on the newest training of its models: at once where it holds nothing, or where `when` says so, else
 * at its next decision without a position. Throws `conflict` where it is offered none, and `confirmation_required`
 * for real money without fresh proof of who calls: another model moves it.
 */
export async function takeModel(ctx: BotControlDeps, id: string, when: 'flat' | 'now', member: Caller): Promise<Bot> {
  const { bots, trading, real } = ctx
  const seen = await bots.find(id)
  requireChange(seen, member)
  if (!seen.isVirtual) await real.requireProof(member.sid)
  const newest = await ctx.predicting()
  return change(ctx, id, member, 'bot.model_taken', async (tx, bot) => {
    const taken = await trading.takeModels(tx, bot, when === 'now', newest)
    if (taken.length === 0) throw new AppError('conflict', `${bot.name} trades on the newest training already.`)
    return {}
  })
}

/**
 * Changes a bot. A model named here replaces an ensemble. Throws `conflict` for what may change only while the bot
 * is stopped, and for a name that another bot of its owner has; `unprocessable` for a model that does not exist or
 * does not fit the strategy, and for a drawdown limit that its policy does not take; `confirmation_required` where
 * real money would risk more without fresh proof of who calls.
 */
export async function patch(ctx: BotControlDeps, id: string, patch: BotPatch, member: Caller): Promise<Bot> {
  const { bots, real } = ctx
  if (typeof patch.mlModelVersion === 'string') {
    const [unknown] = await ctx.unknownVersions([patch.mlModelVersion])
    if (unknown !== undefined)
      throw new AppError('unprocessable', `No model is called ${unknown}. Train it first, or choose another one.`, {
        field: 'mlModelVersion',
      })
  }
  return change(ctx, id, member, 'bot.changed', async (tx, bot) => {
    const given = Object.entries(patch).filter(([, value]) => value !== undefined)
    const waits = given.find(
      ([name]) =>
        !(CHANGED_ANY_TIME as readonly string[]).includes(name) &&
        !(name === 'parameters' && leavesTrades(bot.parameters, patch.parameters)),
    )
    if (waits !== undefined) requireStopped(bot, `: ${waits[0]} decides what its money does`)
    if (!bot.isVirtual && risksMore(bot, patch)) await real.requireProof(member.sid)
    const changes: BotChanges = Object.fromEntries(given)
    if (patch.parameters !== undefined)
      changes.parameters = await namedParameters(tx, patch.parameters, member, bot.parameters)
    if (patch.mlModelVersion !== undefined) {
      const { takesModels, name } = DECIDERS[bot.strategy]
      if (!takesModels)
        throw new AppError('unprocessable', `This bot decides by ${name}, not by models.`, {
          field: 'mlModelVersion',
        })
      Object.assign(changes, { mlModelVersions: null, consensusConfig: null })
      await dropPins(tx, bot.id, [patch.mlModelVersion])
    }
    const parameters = patch.parameters ?? bot.parameters
    const { policy = 'signal', rule, costs, mostTraded } = parameters ?? {}
    const timeframe = timeframeOf(parameters)
    const { strategy, marketType, isVirtual } = bot
    const isEnsemble = (patch.mlModelVersion === undefined ? bot.mlModelVersions : null) !== null
    const obstacle =
      policyObstacle({ policy, strategy, marketType, timeframe, rule, isVirtual, isEnsemble, mostTraded }) ??
      costsObstacle({
        policy,
        timeframe,
        costs,
        takeProfitPct: patch.takeProfitPct ?? bot.takeProfitPct,
        stopLossPct: patch.stopLossPct ?? bot.stopLossPct,
      })
    if (obstacle !== null)
      throw new AppError('unprocessable', obstacle.message, { field: `parameters.${obstacle.field}` })
    // Throws for a rule that cannot be read.
    planOf({ ...bot, ...changes })
    // The limit that it has may be looser than another policy takes.
    const wrong = wrongDrawdown(patch.maxDrawdown ?? bot.maxDrawdown, policy)
    if (wrong !== undefined && (patch.maxDrawdown !== undefined || patch.parameters !== undefined))
      throw new AppError('unprocessable', wrong, { field: 'maxDrawdown' })
    if (patch.name !== undefined && patch.name !== bot.name) {
      await holdBotsOf(tx, bot.userId)
      await requireFreeName(tx, bots, { id, userId: bot.userId, name: patch.name })
    }
    return changes
  })
}

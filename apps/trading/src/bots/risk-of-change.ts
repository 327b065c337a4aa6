import { isDeepStrictEqual } from 'node:util'
import type { BotPatch } from '@shapecast/contracts/bots'
import { realBotLimitsOf } from '@shapecast/contracts/real-bots'
import type { BotRow } from './tables.ts'

/** Says nothing about money. */
const HARMLESS: ReadonlySet<string> = new Set(['name', 'description', 'visibility'])
/** Lower is less. */
const AMOUNTS: ReadonlySet<string> = new Set(['positionSize', 'maxDrawdown', 'leverage'])

/** Whether parameters differ in no more than whether the bot is paused once it is told to be worse than holding. */
export const leavesTrades = (before: BotRow['parameters'], after: BotPatch['parameters']): boolean =>
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
export const risksMore = (bot: BotRow, patch: BotPatch): boolean =>
  (Object.entries(patch) as [keyof BotPatch, unknown][]).some(([name, value]) => {
    if (value === undefined || HARMLESS.has(name)) return false
    if (name === 'parameters') return parametersRiskMore(bot.parameters, patch.parameters)
    return AMOUNTS.has(name) ? (value as number) > (bot[name] as number) : value !== bot[name]
  })

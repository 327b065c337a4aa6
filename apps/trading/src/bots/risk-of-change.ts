import { isDeepStrictEqual } from 'node:util'
import type { BotPatch } from '@shapecast/contracts/bots'
import { realBotLimitsOf } from '@shapecast/contracts/real-bots'
import type { BotRow } from './tables.ts'

/** Says nothing about money. */
const HARMLESS: ReadonlySet<string> = new Set(['name', 'description', 'visibility'])
/** Lower is less. */
const AMOUNTS: ReadonlySet<string> = new Set(['positionSize', 'maxDrawdown', 'leverage'])

/** Whether parameters differ in more than limits that are lower. */
function parametersRiskMore(before: BotRow['parameters'], after: BotPatch['parameters']): boolean {
  const old = realBotLimitsOf(before)
  const wanted = realBotLimitsOf(after ?? null)
  if ((Object.keys(old) as (keyof typeof old)[]).some((name) => wanted[name] > old[name])) return true
  return !isDeepStrictEqual({ ...before, limits: null }, { ...after, limits: null })
}

/** Whether a change lets a bot risk more than before, or something else: all but names and lower limits. */
export const risksMore = (bot: BotRow, patch: BotPatch): boolean =>
  (Object.entries(patch) as [keyof BotPatch, unknown][]).some(([name, value]) => {
    if (value === undefined || HARMLESS.has(name)) return false
    if (name === 'parameters') return parametersRiskMore(bot.parameters, patch.parameters)
    return AMOUNTS.has(name) ? (value as number) > (bot[name] as number) : value !== bot[name]
  })

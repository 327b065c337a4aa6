import { type Bot, BotDraft, BotPatch } from '@shapecast/contracts/bots'
import { COST_DEFAULTS } from '@shapecast/contracts/costs'
import { defaultDrawdown, holdsShare } from '@shapecast/contracts/policies'
import { realBotLimitsOf } from '@shapecast/contracts/real-bots'
import { costsOf, costValuesOf } from '#entities/bots/costs.ts'
import { type BotForm, formAsksModels, NEW_BOT } from './bot-form.ts'

const sizingOf = ({ sizeUnit, size }: BotForm) => {
  if (sizeUnit === 'quote') return { kind: 'quote_amount', quote: size } as const
  if (sizeUnit === 'percent') return { kind: 'percent_of_equity', pct: size } as const
  if (sizeUnit === 'volatility') return { kind: 'volatility_target', annualPct: size } as const
  return undefined
}

/** Whether it reckons with costs of its own: with real money only what holds a share, whose orders may rest. */
export const paysCosts = ({ isVirtual, policy }: Pick<BotForm, 'isVirtual' | 'policy'>): boolean =>
  isVirtual || holdsShare(policy)

/** None where they are the usual ones, or the exchange says them. */
export const botCosts = (form: BotForm) => {
  const costs = costsOf(form, { policy: form.policy, timeframe: form.timeframe })
  const isUsual = JSON.stringify(costs) === JSON.stringify(COST_DEFAULTS)
  return paysCosts(form) && !isUsual ? { costs } : {}
}

/** The body of the call; with errors where the form has some. */
export function draftOf(form: BotForm) {
  const isSignal = form.policy === 'signal'
  const sizing = isSignal ? sizingOf(form) : undefined
  const models =
    form.strategy !== 'ml'
      ? {}
      : form.isEnsemble
        ? { mlModelVersions: form.versions, consensusConfig: form.consensus }
        : form.version === ''
          ? {}
          : { mlModelVersion: form.version }
  return {
    name: form.name.trim(),
    description: form.description.trim(),
    strategy: form.strategy,
    tradingPairs: form.tradingPairs,
    // Also where something else sizes its entries.
    positionSize:
      form.sizeUnit === 'base' && (isSignal || BotPatch.shape.positionSize.safeParse(form.size).success)
        ? form.size
        : NEW_BOT.size,
    maxDrawdown: form.maxDrawdown,
    riskLevel: form.riskLevel,
    initialBalance: form.initialBalance,
    marketType: form.marketType,
    leverage:
      form.marketType === 'futures' || BotDraft.shape.leverage.safeParse(form.leverage).success
        ? form.leverage
        : NEW_BOT.leverage,
    takeProfitPct: isSignal ? form.takeProfitPct : 0,
    stopLossPct: isSignal ? form.stopLossPct : 0,
    isVirtual: form.isVirtual,
    visibility: form.visibility,
    ...models,
    parameters: {
      policy: form.policy,
      timeframe: form.timeframe,
      ...(sizing !== undefined && { sizing }),
      ...(form.policy === 'rule' && form.kept),
      ...(isSignal && form.strategy === 'ml' && { requireEdge: form.requireEdge }),
      ...(form.followModel && formAsksModels(form) && { followModel: true }),
      ...(form.mostTraded !== null && { mostTraded: form.mostTraded }),
      ...(form.pauseWhenWorse && { pauseWhenWorse: true }),
      ...botCosts(form),
      ...(!form.isVirtual && { limits: form.limits }),
      ...(form.strategy === 'openai' && { openaiCallsADay: form.openaiCallsADay }),
    },
  }
}

/** What a form needs of a bot. */
export type BotSettings = Pick<Bot, keyof Bot & keyof BotDraft>

const sizeOf = ({ positionSize, parameters }: BotSettings): Pick<BotForm, 'sizeUnit' | 'size'> => {
  const { sizing } = parameters ?? {}
  if (sizing?.kind === 'quote_amount') return { sizeUnit: 'quote', size: sizing.quote }
  if (sizing?.kind === 'percent_of_equity') return { sizeUnit: 'percent', size: sizing.pct }
  if (sizing?.kind === 'volatility_target') return { sizeUnit: 'volatility', size: sizing.annualPct }
  return { sizeUnit: 'base', size: positionSize }
}

/** A bot as the form shows it. */
export const formOf = (bot: BotSettings): BotForm => ({
  ...NEW_BOT,
  name: bot.name,
  description: bot.description,
  initialBalance: bot.initialBalance,
  ownBalance: true,
  tradingPairs: bot.tradingPairs,
  marketType: bot.marketType,
  leverage: bot.leverage,
  timeframe: bot.parameters?.timeframe ?? NEW_BOT.timeframe,
  strategy: bot.strategy,
  isEnsemble: bot.mlModelVersions !== null,
  version: bot.mlModelVersion ?? '',
  versions: bot.mlModelVersions ?? [],
  consensus: bot.consensusConfig ?? NEW_BOT.consensus,
  followModel: bot.parameters?.followModel ?? false,
  policy: bot.parameters?.policy ?? 'signal',
  riskLevel: bot.riskLevel,
  ...sizeOf(bot),
  requireEdge: bot.parameters?.requireEdge ?? !bot.isVirtual,
  openaiCallsADay: bot.parameters?.openaiCallsADay ?? NEW_BOT.openaiCallsADay,
  maxDrawdown: bot.maxDrawdown,
  // One that its policy has by itself changes with the policy.
  ownDrawdown: bot.maxDrawdown !== defaultDrawdown(bot.parameters?.policy ?? 'signal', bot.riskLevel),
  takeProfitPct: bot.takeProfitPct,
  stopLossPct: bot.stopLossPct,
  visibility: bot.visibility,
  isVirtual: bot.isVirtual,
  kept: {
    rule: bot.parameters?.rule,
    ruleOrigin: bot.parameters?.ruleOrigin,
    sizing: bot.parameters?.sizing,
  },
  mostTraded: bot.parameters?.mostTraded ?? null,
  pauseWhenWorse: bot.parameters?.pauseWhenWorse ?? false,
  limits: realBotLimitsOf(bot.parameters),
  ...costValuesOf(bot.parameters?.costs ?? COST_DEFAULTS),
})

const PATCHED = [
  'name',
  'description',
  'positionSize',
  'maxDrawdown',
  'riskLevel',
  'leverage',
  'takeProfitPct',
  'stopLossPct',
  'parameters',
] as const

/** What a form changes of a bot; null where that is nothing. */
export function patchOf(bot: Bot, form: BotForm) {
  const [before, after] = [draftOf(formOf(bot)), draftOf(form)]
  const changed = PATCHED.filter(
    (field) => after[field] !== undefined && JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  )
  return changed.length === 0 ? null : Object.fromEntries(changed.map((field) => [field, after[field]]))
}

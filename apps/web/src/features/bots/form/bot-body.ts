import { type Bot, BotDraft, BotPatch } from '@shapecast/contracts/bots'
import { COST_DEFAULTS } from '@shapecast/contracts/costs'
import { defaultDrawdown, holdsShare } from '@shapecast/contracts/policies'
import { realBotLimitsOf } from '@shapecast/contracts/real-bots'
import { costsOf, costValuesOf } from '#entities/bots/costs.ts'
import { type BotForm, formAsksModels, NEW_BOT, sameOf } from './bot-form.ts'

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
    ...sameOf(form),
    name: form.name.trim(),
    description: form.description.trim(),
    // Also where something else sizes its entries.
    positionSize:
      form.sizeUnit === 'base' && (isSignal || BotPatch.shape.positionSize.safeParse(form.size).success)
        ? form.size
        : NEW_BOT.size,
    ...(form.marketType === 'spot' &&
      !BotDraft.shape.leverage.safeParse(form.leverage).success && { leverage: NEW_BOT.leverage }),
    ...(!isSignal && { takeProfitPct: 0, stopLossPct: 0 }),
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
export function formOf(bot: BotSettings): BotForm {
  const { policy = 'signal', timeframe = NEW_BOT.timeframe, rule, ruleOrigin, sizing, ...own } = bot.parameters ?? {}
  const { costs = COST_DEFAULTS, openaiCallsADay = NEW_BOT.openaiCallsADay } = own
  return {
    ...sameOf(bot),
    ownBalance: true,
    // One that its policy has by itself changes with the policy.
    ownDrawdown: bot.maxDrawdown !== defaultDrawdown(policy, bot.riskLevel),
    timeframe,
    isEnsemble: bot.mlModelVersions !== null,
    version: bot.mlModelVersion ?? '',
    versions: bot.mlModelVersions ?? [],
    consensus: bot.consensusConfig ?? NEW_BOT.consensus,
    followModel: own.followModel ?? false,
    policy,
    ...sizeOf(bot),
    requireEdge: own.requireEdge ?? !bot.isVirtual,
    openaiCallsADay,
    kept: { rule, ruleOrigin, sizing },
    mostTraded: own.mostTraded ?? null,
    pauseWhenWorse: own.pauseWhenWorse ?? false,
    limits: realBotLimitsOf(bot.parameters),
    ...costValuesOf(costs),
  }
}

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

import type { Bot, BotDraft, BotPatch, ConsensusConfig } from '@shapecast/contracts/bots'
import { type Policy, policyObstacle } from '@shapecast/contracts/policies'
import { RealBotLimits, realBotLimitsOf } from '@shapecast/contracts/real-bots'
import { PlainName, PlainText } from '@shapecast/contracts/storable-text'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { z } from 'zod'
import { outside, wrongAmount } from './wrong-amount.ts'

/** The pairs that the dialog offers. */
export const SELECTABLE_PAIRS = [
  'BTCUSDT',
  'ETHUSDT',
  'ADAUSDT',
  'SOLUSDT',
  'DOTUSDT',
  'LINKUSDT',
  'LTCUSDT',
  'AVAXUSDT',
  'MATICUSDT',
  'UNIUSDT',
] as const
export const MOST_MODELS = 5
export const FEWEST_MODELS = 2
/** The most that may have to agree while no model is chosen. */
const MOST_AGREEMENT_UNCHOSEN = 3

/**
 * What a position size counts: the base asset, the quote, percent of the equity, or percent of volatility a year (which
 * only bots have that were made so by the API).
 */
export type SizeUnit = 'base' | 'quote' | 'percent' | 'volatility'

/** What stands in the dialogs; an empty number field is null. */
export interface BotForm {
  readonly name: string
  readonly description: string
  readonly initialBalance: number | null
  readonly tradingPairs: readonly string[]
  readonly marketType: 'spot' | 'futures'
  readonly leverage: number | null
  readonly timeframe: Timeframe
  readonly strategy: 'ml' | 'openai'
  readonly isEnsemble: boolean
  /** '' follows the current model. */
  readonly version: string
  readonly versions: readonly string[]
  readonly consensus: ConsensusConfig
  readonly policy: Policy
  readonly riskLevel: 'low' | 'medium' | 'high'
  readonly sizeUnit: SizeUnit
  readonly size: number | null
  /** Holds unless the expected edge is above the cost. */
  readonly requireEdge: boolean
  readonly openaiCallsADay: number | null
  readonly maxDrawdown: number | null
  readonly takeProfitPct: number | null
  readonly stopLossPct: number | null
  readonly visibility: 'public' | 'private'
  readonly isVirtual: boolean
  /** Of a bot with real money. */
  readonly limits: { readonly [Name in keyof RealBotLimits]: number | null }
}

export const NEW_BOT: BotForm = {
  name: '',
  description: '',
  initialBalance: 10,
  tradingPairs: ['BTCUSDT'],
  marketType: 'spot',
  leverage: 10,
  timeframe: '1h',
  strategy: 'ml',
  isEnsemble: false,
  version: '',
  versions: [],
  consensus: { strategy: 'majority', minAgreement: 2, minConfidence: 0.6, onDisagreement: 'hold' },
  policy: 'model_brake',
  riskLevel: 'medium',
  sizeUnit: 'base',
  size: 0.001,
  requireEdge: false,
  openaiCallsADay: 100,
  maxDrawdown: 10,
  takeProfitPct: 0,
  stopLossPct: 0,
  visibility: 'private',
  isVirtual: true,
  limits: RealBotLimits.parse({}),
}

const SIZE_DEFAULTS = { base: 0.001, quote: 10, percent: 10, volatility: 40 } as const

/** How many models may have to agree: all that are chosen. */
export const mostAgreementOf = ({ versions }: Pick<BotForm, 'versions'>): number =>
  Math.max(FEWEST_MODELS, versions.length || MOST_AGREEMENT_UNCHOSEN)

/**
 * A change with what follows from it: another strategy than ml ends ensemble mode and the policies, ending ensemble
 * mode clears the chosen models, futures trade the signal only, several pairs have no base asset in common, and real
 * money trades a signal only above its cost until somebody says otherwise.
 */
export function changeForm(before: BotForm, change: Partial<BotForm>): BotForm {
  let form: BotForm = { ...before, ...change }
  if (form.strategy !== 'ml') form = { ...form, isEnsemble: false, policy: 'signal' }
  if (!form.isEnsemble && before.isEnsemble) form = { ...form, version: '', versions: [] }
  if (form.marketType === 'futures') form = { ...form, policy: 'signal' }
  if (form.tradingPairs.length > 1 && form.sizeUnit === 'base') form = { ...form, sizeUnit: 'quote' }
  if (form.sizeUnit !== before.sizeUnit && !('size' in change)) form = { ...form, size: SIZE_DEFAULTS[form.sizeUnit] }
  if (form.isVirtual !== before.isVirtual) form = { ...form, requireEdge: !form.isVirtual }
  const { minAgreement, minConfidence } = form.consensus
  // Its fields are off then, with whatever stands in them.
  if (form.policy !== 'signal' && Number.isNaN(minAgreement + minConfidence))
    form = { ...form, consensus: NEW_BOT.consensus }
  const mostAgreement = mostAgreementOf(form)
  if (form.consensus.minAgreement > mostAgreement)
    form = { ...form, consensus: { ...form.consensus, minAgreement: mostAgreement } }
  return form
}

export type FormField =
  | 'name'
  | 'description'
  | 'initialBalance'
  | 'tradingPairs'
  | 'timeframe'
  | 'leverage'
  | 'versions'
  | 'minAgreement'
  | 'minConfidence'
  | 'size'
  | 'openaiCallsADay'
  | keyof RealBotLimits
  | 'maxDrawdown'
  | 'takeProfitPct'
  | 'stopLossPct'
export type FormErrors = Partial<Record<FormField, string>>

const BALANCE_TOO_SMALL = 'Initial balance is at least 10'
const LONGEST_NAME = 60
const LONGEST_DESCRIPTION = 500

/** What is wrong with a form, field by field, in words. */
export function formErrors(form: BotForm): FormErrors {
  const errors: FormErrors = {}
  const refuse = (field: FormField, wrong: string | undefined) => {
    if (wrong !== undefined) errors[field] = wrong
  }
  const isSignal = form.policy === 'signal'
  refuse('name', PlainName.safeParse(form.name).error?.issues[0]?.message)
  refuse('description', PlainText.safeParse(form.description).error?.issues[0]?.message)
  if (form.name.trim() === '') errors.name = 'A name is required'
  if (form.name.trim().length > LONGEST_NAME) errors.name = `A name has at most ${LONGEST_NAME} characters`
  if (form.description.trim().length > LONGEST_DESCRIPTION)
    errors.description = `A description has at most ${LONGEST_DESCRIPTION} characters`
  refuse('initialBalance', wrongAmount(form.initialBalance, 10, 1e12, BALANCE_TOO_SMALL))
  if (form.tradingPairs.length === 0) errors.tradingPairs = 'Select at least one trading pair'
  if (form.isEnsemble && form.versions.length < FEWEST_MODELS) errors.versions = 'Select at least 2 models for ensemble'
  if (outside(form.maxDrawdown, 1, 50)) errors.maxDrawdown = 'Max drawdown is 1 to 50 percent'
  if (form.marketType === 'futures' && (outside(form.leverage, 1, 100) || !Number.isInteger(form.leverage)))
    errors.leverage = 'Leverage is a whole number from 1 to 100'
  if (form.isEnsemble && isSignal) {
    const { minAgreement, minConfidence } = form.consensus
    if (outside(minAgreement, FEWEST_MODELS, mostAgreementOf(form)))
      errors.minAgreement = 'At least 2, at most the number of chosen models'
    if (outside(minConfidence, 0, 1)) errors.minConfidence = 'Between 0 and 1'
  }
  const obstacle = policyObstacle(form)
  if (obstacle?.field === 'timeframe') errors.timeframe = obstacle.message
  if (!form.isVirtual) {
    const { maxDayOrders, ...amounts } = form.limits
    for (const [name, amount] of Object.entries(amounts) as [keyof typeof amounts, number | null][])
      refuse(name, wrongAmount(amount, Number.MIN_VALUE, 1e9, 'An amount above 0'))
    if (outside(maxDayOrders, 1, 10_000) || !Number.isInteger(maxDayOrders))
      errors.maxDayOrders = 'A whole number from 1 to 10,000'
  }
  if (form.strategy === 'openai' && outside(form.openaiCallsADay, 1, 10_000))
    errors.openaiCallsADay = 'From 1 to 10,000 calls a day'
  if (!isSignal) return errors
  if (form.sizeUnit === 'base') refuse('size', wrongAmount(form.size, 0.001, 1e9, 'Position size is at least 0.001'))
  if (form.sizeUnit === 'quote') refuse('size', wrongAmount(form.size, Number.MIN_VALUE, 1e12, 'An amount above 0'))
  const mostPct = form.sizeUnit === 'percent' ? 100 : form.sizeUnit === 'volatility' ? 1000 : null
  if (mostPct !== null && !(form.size !== null && form.size > 0 && form.size <= mostPct))
    errors.size = `Above 0, at most ${mostPct} percent`
  if (outside(form.takeProfitPct, 0, 1000)) errors.takeProfitPct = '0 is off, at most 1,000'
  if (outside(form.stopLossPct, 0, 100)) errors.stopLossPct = '0 is off, at most 100'
  return errors
}

/** Why Create is off; null where it can be pressed. */
export function whyNotCreate(form: BotForm): string | null {
  if (form.name.trim() === '') return 'A name is required'
  if (form.initialBalance === null) return 'An initial balance is required'
  if (form.initialBalance === 0) return BALANCE_TOO_SMALL
  if (form.isEnsemble && form.versions.length < FEWEST_MODELS) return 'Select at least 2 models for ensemble'
  return null
}

const sizingOf = (form: BotForm) => {
  if (form.sizeUnit === 'quote') return { kind: 'quote_amount', quote: form.size! } as const
  if (form.sizeUnit === 'percent') return { kind: 'percent_of_equity', pct: form.size! } as const
  if (form.sizeUnit === 'volatility') return { kind: 'volatility_target', annualPct: form.size! } as const
  return undefined
}

/** The body of the call, of a form without errors. */
export function draftOf(form: BotForm): z.input<typeof BotDraft> {
  const isFutures = form.marketType === 'futures'
  const isSignal = form.policy === 'signal'
  const sizing = isSignal ? sizingOf(form) : undefined
  const models =
    form.strategy !== 'ml'
      ? {}
      : form.isEnsemble
        ? { mlModelVersions: [...form.versions], consensusConfig: form.consensus }
        : form.version === ''
          ? {}
          : { mlModelVersion: form.version }
  return {
    name: form.name.trim(),
    description: form.description.trim(),
    strategy: form.strategy,
    tradingPairs: [...form.tradingPairs],
    ...(form.sizeUnit === 'base' && isSignal && { positionSize: form.size! }),
    maxDrawdown: form.maxDrawdown!,
    riskLevel: form.riskLevel,
    initialBalance: form.initialBalance!,
    marketType: form.marketType,
    ...(isFutures && { leverage: form.leverage! }),
    takeProfitPct: isSignal ? form.takeProfitPct! : 0,
    stopLossPct: isSignal ? form.stopLossPct! : 0,
    isVirtual: form.isVirtual,
    visibility: form.visibility,
    ...models,
    parameters: {
      policy: form.policy,
      timeframe: form.timeframe,
      ...(sizing !== undefined && { sizing }),
      ...(isSignal && form.strategy === 'ml' && { requireEdge: form.requireEdge }),
      ...(!form.isVirtual && { limits: RealBotLimits.parse(form.limits) }),
      ...(form.strategy === 'openai' && { openaiCallsADay: form.openaiCallsADay! }),
    },
  }
}

const sizeOf = ({ positionSize, parameters }: Bot): Pick<BotForm, 'sizeUnit' | 'size'> => {
  const { sizing } = parameters ?? {}
  if (sizing?.kind === 'quote_amount') return { sizeUnit: 'quote', size: sizing.quote }
  if (sizing?.kind === 'percent_of_equity') return { sizeUnit: 'percent', size: sizing.pct }
  if (sizing?.kind === 'volatility_target') return { sizeUnit: 'volatility', size: sizing.annualPct }
  return { sizeUnit: 'base', size: positionSize }
}

/** A bot as the form shows it. */
export const formOf = (bot: Bot): BotForm => ({
  ...NEW_BOT,
  name: bot.name,
  description: bot.description,
  initialBalance: bot.initialBalance,
  tradingPairs: bot.tradingPairs,
  marketType: bot.marketType,
  leverage: bot.leverage,
  timeframe: bot.parameters?.timeframe ?? NEW_BOT.timeframe,
  strategy: bot.strategy,
  isEnsemble: bot.mlModelVersions !== null,
  version: bot.mlModelVersion ?? '',
  versions: bot.mlModelVersions ?? [],
  consensus: bot.consensusConfig ?? NEW_BOT.consensus,
  policy: bot.parameters?.policy ?? 'signal',
  riskLevel: bot.riskLevel,
  ...sizeOf(bot),
  requireEdge: bot.parameters?.requireEdge ?? !bot.isVirtual,
  openaiCallsADay: bot.parameters?.openaiCallsADay ?? NEW_BOT.openaiCallsADay,
  maxDrawdown: bot.maxDrawdown,
  takeProfitPct: bot.takeProfitPct,
  stopLossPct: bot.stopLossPct,
  visibility: bot.visibility,
  isVirtual: bot.isVirtual,
  limits: realBotLimitsOf(bot.parameters),
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

/** What a form, one without errors, changes of a bot; null where that is nothing. */
export function patchOf(bot: Bot, form: BotForm): BotPatch | null {
  const [before, after] = [draftOf(formOf(bot)), draftOf(form)]
  const changed = PATCHED.filter(
    (field) => after[field] !== undefined && JSON.stringify(after[field]) !== JSON.stringify(before[field]),
  )
  return changed.length === 0 ? null : Object.fromEntries(changed.map((field) => [field, after[field]]))
}
